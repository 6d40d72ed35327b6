#include <boost/math/special_functions/binomial.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <spillway/tb/hypercube/hypercube.hpp>

namespace spillway::theory {
namespace {

double binomial(int n, int k) {
  if (k < 0 || k > n) return 0;
  return boost::math::binomial_coefficient<double>(static_cast<unsigned>(n), static_cast<unsigned>(k));
}
double power(int exponent) { return std::ldexp(1.0, exponent); }

/// j-level links of an n-cube.
double links(int n, int j) { return (n - j + 1) * binomial(n, j - 1); }
/// Nodes of an n-cube at least j hops from one of them.
double nodes_beyond(int n, int j) {
  double sum = 0;
  for (int k = j; k <= n; ++k) sum += binomial(n, k);
  return sum;
}
/// p(j) of the cube in question: probability that a message from a random node to the hot one (or a reply)
/// takes one particular j-level link. BH's p_1(j) is p(D, j); BH/BH has p(j) = p(d, j) and p_1(j) = p(D - d,
/// j).
double p_of(int n, int j) { return nodes_beyond(n, j) / (links(n, j) * power(n)); }

bool is_bh(const hypercube_parameters& p) { return p.network == cube_network::bh; }
bool combines(const hypercube_parameters& p) { return p.combining == cube_combining::software; }
double inter(const hypercube_parameters& p) { return 1 - p.alpha - p.h; }

int cluster_levels(const hypercube_parameters& p) { return is_bh(p) ? p.D : p.d; }
int noncluster_levels(const hypercube_parameters& p) { return is_bh(p) ? p.D : p.D - p.d; }

double delta_cl(const hypercube_parameters& p, int j, bool tree = false) {  // Eqs. 10, 22
  return 1 / (p.mu_cl - cluster_link_rate(p, j, tree));
}
double delta_ncl(const hypercube_parameters& p, int j, bool tree = false) {  // Eqs. 11, 23
  return 1 / (p.mu_ncl - noncluster_link_rate(p, j, tree));
}

/// Mean over the j-level links of an n-cube, C(n, j) of them in the tree: each node but the root has one tree
/// link to its parent. Without combining the two delays are the same.
template <class Delta>
double level_mean(int n, int j, const Delta& delta) {
  const double tree = binomial(n, j) / links(n, j);
  return tree * delta(j, true) + (1 - tree) * delta(j, false);
}

/// Sum over the links of BH along `own` dimensions, by their distance to the hot node: k hops in the other
/// dimensions, l along these.
template <class Term>
double sum_bh(int own, int other, const Term& term) {
  double sum = 0;
  for (int k = 0; k <= other; ++k) {
    for (int l = 1; l <= own; ++l) sum += binomial(other, k) * links(own, l) * term(k + l);
  }
  return sum;
}

hypercube_delays bh_delays(const hypercube_parameters& p) {
  const int e = p.D - p.d;
  double cl_avg = 0, ncl_avg = 0, r_hot = 0;
  if (combines(p)) {
    const double cl_tree = power(p.d) - 1, cl_all = p.d * power(p.d - 1);
    cl_avg = (cl_tree * delta_cl(p, 1, true) + (cl_all - cl_tree) * delta_cl(p, 1)) / cl_all;
    const double ncl_tree = power(e) - 1, ncl_all = e * power(p.D - 1);
    ncl_avg = (ncl_tree * delta_ncl(p, 1, true) + (ncl_all - ncl_tree) * delta_ncl(p, 1)) / ncl_all;
    r_hot = p.d / 2.0 * delta_cl(p, 1, true) + e / 2.0 * delta_ncl(p, 1, true);
  } else {
    const auto cl = [&](int j) { return delta_cl(p, j); };
    const auto ncl = [&](int j) { return delta_ncl(p, j); };
    cl_avg = sum_bh(p.d, e, cl) / (p.d * power(p.D - 1));
    ncl_avg = sum_bh(e, p.d, ncl) / (e * power(p.D - 1));
    r_hot = sum_bh(p.d, e, [&](int j) { return cl(j) * p_of(p.D, j); }) +
            sum_bh(e, p.d, [&](int j) { return ncl(j) * p_of(p.D, j); });  // Eq. 13
  }
  // P_icl - d/2 = (D - d) 2^(D-1)/(2^D - 2^d)
  const double ncl_hops = e * power(p.D - 1) / (power(p.D) - power(p.d));
  const double r_reg = (p.alpha * p.d / 2 * cl_avg + inter(p) * (p.d / 2.0 * cl_avg + ncl_hops * ncl_avg)) /
                       (1 - p.h);                          // Eq. 12
  return {r_reg, r_hot, (1 - p.h) * r_reg + p.h * r_hot};  // Eq. 14
}

hypercube_delays bhbh_delays(const hypercube_parameters& p) {
  const int e = p.D - p.d;
  const auto cl = [&](int j, bool tree) { return delta_cl(p, j, tree); };
  const auto ncl = [&](int j, bool tree) { return delta_ncl(p, j, tree); };
  double avg = 0, cl_avg = 0, ncl_reg = 0, ncl_hot = 0, cl_reply = 0;
  for (int j = 1; j <= p.d; ++j) {
    // The paper drops the level of Delta_CL and Delta_CLt in Delta_avg and R_hot of section 3.3.2.
    const double all = links(p.d, j) * level_mean(p.d, j, cl);
    avg += all / (p.d * power(p.d - 1));
    cl_avg += all * p_of(p.d, j);
    cl_reply += nodes_beyond(p.d, j) / power(p.d) * cl(j, true);
  }
  for (int j = 1; j <= e; ++j) {
    ncl_reg += links(e, j) * level_mean(e, j, ncl) / (e * power(e - 1));
    ncl_hot += links(e, j) * ncl(j, false) * p_of(e, j);
  }
  const double r_hot = combines(p) ? e / 2.0 * ncl(1, true) + cl_reply : cl_avg + ncl_hot;  // Eq. 25
  const double ncl_hops = e * power(e - 1) / (power(e) - 1);
  const double r_reg =
      (p.alpha * p.d / 2 * avg + inter(p) * (2 * cl_avg + ncl_hops * ncl_reg)) / (1 - p.h);  // Eq. 24
  return {r_reg, r_hot, (1 - p.h) * r_reg + p.h * r_hot};                                    // Eq. 26
}

/// The link whose load is largest beside its rate.
struct busiest_link {
  double utilisation = 0;
  bool cluster_link = true;
  int level = 1;
};
busiest_link busiest(const hypercube_parameters& p) {
  busiest_link found;
  const auto look = [&](double utilisation, bool cluster_link, int level) {
    if (utilisation > found.utilisation) found = {utilisation, cluster_link, level};
  };
  for (int j = 1; j <= cluster_levels(p); ++j) look(cluster_link_rate(p, j, true) / p.mu_cl, true, j);
  for (int j = 1; j <= noncluster_levels(p); ++j) look(noncluster_link_rate(p, j, true) / p.mu_ncl, false, j);
  return found;
}

}  // namespace

double cluster_link_rate(const hypercube_parameters& p, int j, bool tree) {
  const double on_tree = tree ? p.h * p.lambda : 0;
  if (is_bh(p)) {
    const double regular = (1 - p.h) * p.lambda;
    return combines(p) ? regular + on_tree                                      // Eq. 27
                       : regular + power(p.D) * p.h * p.lambda * p_of(p.D, j);  // Eq. 5
  }
  const double through = power(p.d) * p.lambda * p_of(p.d, j);
  // Inter-cluster traffic passes twice, leaving and entering; hot messages leave and hot replies enter.
  return combines(p) ? p.alpha * p.lambda + 2 * inter(p) * through + on_tree
                     : p.alpha * p.lambda + (2 - 2 * p.alpha - p.h) * through;  // Eq. 17
}

double noncluster_link_rate(const hypercube_parameters& p, int j, bool tree) {
  const int e = p.D - p.d;
  const double regular = is_bh(p) ? inter(p) * p.lambda * power(p.D) / (power(p.D) - power(p.d))  // Eq. 7
                                  : power(p.D) * inter(p) * p.lambda / (power(e) - 1);            // Eq. 19
  if (combines(p)) return regular + (tree ? p.h * p.lambda : 0);                                  // Eq. 28
  return regular + power(p.D) * p.h * p.lambda * p_of(is_bh(p) ? p.D : e, j);  // Eqs. 9, 21
}

std::optional<hypercube_delays> delays(const hypercube_parameters& p) {
  if (busiest(p).utilisation >= 1) return std::nullopt;
  return is_bh(p) ? bh_delays(p) : bhbh_delays(p);
}

hypercube_saturation saturation(const hypercube_parameters& p) {
  hypercube_parameters at = p;
  const auto excess = [&](double lambda) {
    at.lambda = lambda;
    return busiest(at).utilisation - 1;
  };
  double high = 1;
  while (excess(high) < 0) high *= 2;
  std::uintmax_t steps = 200;
  const auto root = boost::math::tools::toms748_solve(excess, 0.0, high,
                                                      boost::math::tools::eps_tolerance<double>(50), steps);
  at.lambda = (root.first + root.second) / 2;
  const auto link = busiest(at);
  return {at.lambda, link.cluster_link, link.level};
}

}  // namespace spillway::theory
