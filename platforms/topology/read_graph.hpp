#pragma once
#include <filesystem>
#include <spillway/platforms/topology/topology.hpp>

namespace spillway {

/// A graph from a file. Edge list: a link a line, `t0 -> s3` (or just `t0 s3`) or, both ways, `t0 -- s3`;
/// ports in order of appearance or given as `s3:1`; `#` starts a comment. A list of numbers alone (`0 1` a
/// line, as NetworkX writes it) is a plain graph: a switch with a terminal for each number, in ascending
/// order, whose port 0 is the terminal's, and a link both ways for each pair. Throws config_error with
/// file:line:column.
topology read_edge_list(const std::filesystem::path& file);
/// GraphML with the vertex attribute `role` (terminal or switch) and the optional edge attributes
/// `from_port` and `to_port`; without any role a plain graph, as above. A link of an undirected graph goes
/// both ways, by the same ports. Throws config_error.
topology read_graphml(const std::filesystem::path& file);

}  // namespace spillway
