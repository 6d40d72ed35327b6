#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <spillway/platforms/topology/topology.hpp>

namespace spillway {

// The generators throw std::invalid_argument for parameters out of range: a switch has at most 64 ports
// and a network 2^28 terminals.

/// k-ary n-fly (Dally and Towles, section 4.1): between stages i and i+1 the last digit of a line changes
/// places with digit i from the left, the one that stage i has decided. `terminals` up to radix^stages; the
/// network is complete, and the ports of the terminals that are not there stay open.
topology make_butterfly(unsigned radix, unsigned stages, unsigned terminals);

/// Omega (Lawrie): a perfect shuffle before every stage, the first included: line p of a stage leads to
/// line (p * radix) mod N + p / (N/radix) of the next.
topology make_omega(unsigned radix, unsigned stages, unsigned terminals);

/// One switch with every terminal.
topology make_crossbar(unsigned terminals);

/// One switch a terminal. Port 0 is the terminal's; in each dimension d, port 1+2d leads up and 2+2d down.
topology make_mesh(const std::vector<unsigned>& dimensions);
/// As the mesh, with every dimension closed to a ring.
topology make_torus(const std::vector<unsigned>& dimensions);
/// A torus of one dimension; one way: port 1 only.
topology make_ring(unsigned terminals, bool both_ways);

/// Fat tree of routers with two ports down and two up (Strumpen and Krishnamurthy, section 3); struct
/// fat_tree says which router is where and how they are joined. `terminals`: a power of two, 2 or more.
/// Without `routers`, only the terminals: for models that need no graph.
topology make_fat_tree(unsigned terminals, bool routers = true);

/// Butterfly whose switches have `dilation` outputs for each digit (Leighton and Maggs): output
/// digit * dilation + i. Between stages each block of switches is joined to the blocks of its digits at
/// random, the outputs of a digit to different switches where there are enough; the last stage has one output
/// a digit. radix^stages terminals. With dilation 1 and any wiring it routes as a butterfly does.
topology make_multibutterfly(unsigned radix, unsigned stages, unsigned dilation, std::uint64_t wiring_seed);

/// Fat tree of any numbers (extended generalized fat tree, Ohring et al. 1995): a switch of level l, from 0,
/// has children[l] below it by ports 0.., and parents[l] above it by the ports that follow; terminals have
/// one parent. One entry less in `parents` than in `children`. The k-ary n-tree has k everywhere, the CM-5's
/// data network children 4 4 4 and parents 2 2.
topology make_xgft(const std::vector<unsigned>& children, const std::vector<unsigned>& parents);

/// Binary hypercube (BH): a terminal and a switch a node, 2^dimension of them; port 0 is the terminal's, port
/// 1 + k leads to the node that differs in bit k. Nodes with the same high bits, all but `cluster` of them,
/// are a cluster, which only says which links are local: 0 <= cluster <= dimension.
topology make_hypercube(unsigned dimension, unsigned cluster);

/// Hierarchical hypercube (BH/BH, Dandamudi and Eager): clusters of 2^cluster nodes, each a hypercube; the
/// node of each cluster whose low bits are `interface` is also joined to those of the others in a hypercube
/// of the high bits. Ports as above; 1 <= cluster < dimension.
topology make_hierarchical_hypercube(unsigned dimension, unsigned cluster, unsigned interface);

/// A graph from a file. Edge list: a link a line, `t0 -> s3` (or just `t0 s3`) or, both ways, `t0 -- s3`;
/// ports in order of appearance or given as `s3:1`; `#` starts a comment. Throws config_error with
/// file:line:column.
topology read_edge_list(const std::filesystem::path& file);
/// GraphML with the vertex attribute `role` (terminal or switch) and the optional edge attributes
/// `from_port` and `to_port`. Throws config_error.
topology read_graphml(const std::filesystem::path& file);

/// From the section `topology` of an experiment, defaults filled in. `folder`: what file names are
/// relative to. Throws config_error for a file, std::invalid_argument for parameters.
/// `whole`: false where the terminals are enough.
topology make_topology(const nlohmann::json& section, const std::filesystem::path& folder, bool whole = true);

}  // namespace spillway
