#pragma once
#include <optional>
#include <string>

namespace spillway::theory {

enum class cube_network { bh, bhbh };
enum class cube_combining { none, software };

/// Hypercubes of Dandamudi and Eager: 2^D nodes in clusters of 2^d, 1 <= d < D. Rates are in messages a time
/// unit.
struct hypercube_parameters {
  cube_network network = cube_network::bh;
  cube_combining combining = cube_combining::none;
  int D = 8, d = 3;
  double lambda = 0.3;  ///< messages a node generates
  double alpha = 0.75;  ///< probability of a regular message to the own cluster, h <= 1 - alpha
  double h = 0.08;      ///< probability of a hot message, h < 1
  double mu_cl = 1.4;   ///< service rate of a cluster link
  double mu_ncl = 2.8;  ///< service rate of a non-cluster link
};

/// Arrival rates at a j-level link (j - 1 and j hops from the hot node, in BH/BH from the interface node or,
/// for non-cluster links, within the cube of interface nodes). With software combining `tree` tells the links
/// of the combining tree from the others; without it, it is ignored. BH: Eqs. 5, 9, 27, 28; BH/BH: Eqs. 17,
/// 21 and those of section 3.3.2.
double cluster_link_rate(const hypercube_parameters& p, int j, bool tree = false);
double noncluster_link_rate(const hypercube_parameters& p, int j, bool tree = false);

/// Mean delay of a message or reply from source to destination, time units.
struct hypercube_delays {
  double r_reg, r_hot, r_avg;
};
/// Eqs. 12-14, 24-26 and those of section 3.3 (there R_hot is the delay of the reply broadcast from the
/// root); nothing when a link's load reaches its rate.
std::optional<hypercube_delays> delays(const hypercube_parameters& p);

/// Least lambda at which a link's load reaches its rate, and that link.
struct hypercube_saturation {
  double lambda_sat;
  bool cluster_link;
  int level;
};
hypercube_saturation saturation(const hypercube_parameters& p);

}  // namespace spillway::theory
