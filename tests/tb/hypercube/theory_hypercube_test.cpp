#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <spillway/tb/hypercube/hypercube.hpp>
#include <spillway/tb/theory/theory.hpp>
#include <vector>

#include "support/theory_errors.hpp"
#include "support/theory_results.hpp"

using namespace spillway::theory;

namespace {

using edge = std::pair<unsigned, unsigned>;  // from, to
using flow = std::map<edge, double>;         // expected passes of a message

/// A cube message's passes over each edge when every hop takes a uniformly random remaining dimension.
void spread(unsigned from, unsigned to, double weight, flow& passes) {
  if (from == to) return;
  const unsigned open = from ^ to;
  const int dimensions = __builtin_popcount(open);
  for (unsigned bit = 1; bit <= open; bit <<= 1) {
    if ((open & bit) == 0) continue;
    passes[{from, from ^ bit}] += weight / dimensions;
    spread(from ^ bit, to, weight / dimensions, passes);
  }
}

/// The explicit network: every message and reply put on every edge of its paths, delays added along them. Hot
/// node 0.
class explicit_network {
public:
  explicit explicit_network(const hypercube_parameters& p) : p_(p), N_(1U << p.D), n_(1U << p.d) {
    for (unsigned s = 0; s < N_; ++s) {
      for (unsigned t = 0; t < N_; ++t) {
        put(route(s, t), probability(s, t) * p.lambda);
        put(route(t, s), probability(s, t) * p.lambda);  // the reply
      }
      if (p.h == 0 || s == 0) continue;
      if (p.combining == cube_combining::software) {
        load_[{s, parent(s)}] += p.h * p.lambda;
        load_[{parent(s), s}] += p.h * p.lambda;
      } else {
        put(route(s, 0), p.h * p.lambda);
        put(route(0, s), p.h * p.lambda);
      }
    }
  }
  double utilisation() const {
    double most = 0;
    for (const auto& [l, load] : load_) most = std::max(most, load / rate(l));
    return most;
  }
  double load(unsigned from, unsigned to) const { return load_.at({from, to}); }
  hypercube_delays measure() const {
    double reg = 0, hot = 0;
    for (unsigned s = 0; s < N_; ++s) {
      for (unsigned t = 0; t < N_; ++t) {
        reg += probability(s, t) * (delay(route(s, t)) + delay(route(t, s))) / 2 / N_;
      }
      if (p_.combining == cube_combining::software) {
        for (unsigned v = s; v != 0; v = parent(v)) hot += link_delay({parent(v), v}) / N_;
      } else {
        hot += (delay(route(s, 0)) + delay(route(0, s))) / 2 / N_;
      }
    }
    reg /= 1 - p_.h;
    return {reg, hot, (1 - p_.h) * reg + p_.h * hot};
  }

private:
  /// Of a regular message from s to t.
  double probability(unsigned s, unsigned t) const {
    return s / n_ == t / n_ ? p_.alpha / n_ : (1 - p_.alpha - p_.h) / (N_ - n_);
  }
  flow route(unsigned s, unsigned t) const {
    flow passes;
    if (p_.network == cube_network::bh || s / n_ == t / n_) {
      spread(s, t, 1, passes);
    } else {
      spread(s, s / n_ * n_, 1, passes);
      spread(s / n_ * n_, t / n_ * n_, 1, passes);
      spread(t / n_ * n_, t, 1, passes);
    }
    return passes;
  }
  /// Trees of the clusters rooted at their node with low bits 0, joined by a tree over those nodes.
  static unsigned lowest(unsigned v) { return v & (~v + 1); }
  unsigned parent(unsigned v) const { return v % n_ != 0 ? v - lowest(v % n_) : v - lowest(v); }
  void put(const flow& passes, double weight) {
    for (const auto& [l, part] : passes) load_[l] += weight * part;
  }
  double rate(const edge& l) const { return l.first / n_ == l.second / n_ ? p_.mu_cl : p_.mu_ncl; }
  double link_delay(const edge& l) const { return 1 / (rate(l) - load_.at(l)); }
  double delay(const flow& passes) const {
    double sum = 0;
    for (const auto& [l, part] : passes) sum += part * link_delay(l);
    return sum;
  }

  hypercube_parameters p_;
  unsigned N_, n_;
  flow load_;
};

hypercube_parameters example(cube_network network, double h, double alpha = 0.75,
                             cube_combining combining = cube_combining::none) {
  hypercube_parameters p;
  p.network = network;
  p.combining = combining;
  p.h = h;
  p.alpha = alpha;
  p.mu_ncl = network == cube_network::bh ? 1.4 : 2.8;
  return p;
}

/// Least lambda from the loads' proportionality to lambda, without root finding.
double saturation_by_proportion(hypercube_parameters p) {
  p.lambda = 1;
  double most = 0;
  const bool bh = p.network == cube_network::bh;
  for (int j = 1; j <= (bh ? p.D : p.d); ++j) most = std::max(most, cluster_link_rate(p, j, true) / p.mu_cl);
  for (int j = 1; j <= (bh ? p.D : p.D - p.d); ++j)
    most = std::max(most, noncluster_link_rate(p, j, true) / p.mu_ncl);
  return 1 / most;
}

}  // namespace

TEST(hypercube, delays_equal_those_of_the_explicit_network) {
  for (const auto network : {cube_network::bh, cube_network::bhbh}) {
    for (const auto combining : {cube_combining::none, cube_combining::software}) {
      for (const auto& [D, d] : {std::pair{5, 2}, {6, 3}, {4, 1}, {4, 3}}) {
        for (const double h : {0.0, 0.08, 0.2}) {
          auto p = example(network, h, 0.7, combining);
          p.D = D;
          p.d = d;
          p.lambda = 0.8 * saturation(p).lambda_sat;
          const auto formula = delays(p);
          const auto expected = explicit_network(p).measure();
          ASSERT_TRUE(formula);
          EXPECT_NEAR(formula->r_reg, expected.r_reg, 1e-9 * expected.r_reg) << D << d << h;
          EXPECT_NEAR(formula->r_hot, expected.r_hot, 1e-9 * expected.r_hot) << D << d << h;
          EXPECT_NEAR(formula->r_avg, expected.r_avg, 1e-9 * expected.r_avg) << D << d << h;
        }
      }
    }
  }
}

TEST(hypercube, saturates_with_the_busiest_link_of_the_explicit_network) {
  for (const auto network : {cube_network::bh, cube_network::bhbh}) {
    for (const auto combining : {cube_combining::none, cube_combining::software}) {
      for (const double h : {0.0, 0.02, 0.08, 0.2}) {
        auto p = example(network, h, 0.7, combining);
        p.D = 5;
        p.d = 2;
        const auto sat = saturation(p);
        EXPECT_NEAR(sat.lambda_sat, saturation_by_proportion(p), 1e-9);
        p.lambda = sat.lambda_sat;
        EXPECT_NEAR(explicit_network(p).utilisation(), 1, 1e-9);
      }
    }
  }
}

TEST(hypercube, loads_of_single_links) {
  auto p = example(cube_network::bhbh, 0.1, 0.6);
  p.D = 6;
  const explicit_network network(p);
  EXPECT_NEAR(cluster_link_rate(p, 1), network.load(1, 0), 1e-12);
  EXPECT_NEAR(cluster_link_rate(p, 2), network.load(8 + 2, 8 + 3), 1e-12);
  EXPECT_NEAR(noncluster_link_rate(p, 1), network.load(0, 8), 1e-12);
  EXPECT_NEAR(noncluster_link_rate(p, 3), network.load(56, 48), 1e-12);
}

TEST(hypercube, saturation_values_of_the_paper) {
  EXPECT_NEAR(saturation(example(cube_network::bhbh, .08, .6)).lambda_sat, .4236, 5e-5);
  EXPECT_NEAR(saturation(example(cube_network::bhbh, .08, .9)).lambda_sat, .6774, 5e-5);
  for (const double alpha : {.6, .75, .9}) {
    EXPECT_NEAR(saturation(example(cube_network::bh, .08, alpha)).lambda_sat, .4035, 5e-5);
  }
  // BH/BH: cluster links first up to h = 3.9 %, then the others
  EXPECT_TRUE(saturation(example(cube_network::bhbh, .038)).cluster_link);
  EXPECT_FALSE(saturation(example(cube_network::bhbh, .040)).cluster_link);
  const auto software = cube_combining::software;
  EXPECT_NEAR(saturation(example(cube_network::bhbh, 0, .75, software)).lambda_sat, .730, 5e-4);
  EXPECT_NEAR(saturation(example(cube_network::bhbh, .16, .75, software)).lambda_sat, 1.053, 5e-4);
  for (const double h : {0.0, .01, .02, .04, .08, .16}) {
    EXPECT_NEAR(saturation(example(cube_network::bh, h, .75, software)).lambda_sat, 1.4, 1e-9);
  }
}

TEST(hypercube, delay_of_bhbh_falls_with_small_h) {
  double before = 1e9;
  for (const double h : {0.0, .01, .02, .04}) {
    auto p = example(cube_network::bhbh, h);
    p.lambda = 0.6;
    const auto r = delays(p);
    ASSERT_TRUE(r);
    EXPECT_LT(r->r_avg, before);
    before = r->r_avg;
  }
}

TEST(hypercube, no_delay_when_saturated) {
  auto p = example(cube_network::bh, .08);
  p.lambda = saturation(p).lambda_sat * 1.001;
  EXPECT_FALSE(delays(p));
  p.lambda = saturation(p).lambda_sat * 0.999;
  EXPECT_TRUE(delays(p));
}

TEST(hypercube_model, results_by_name) {
  EXPECT_NEAR(evaluate_theory("hypercube", {"network=bh", "mu_ncl=1.4"}).at("lambda_sat"), .4035, 5e-5);
  // As in the paper: cluster links first up to h = 3.9 %.
  EXPECT_EQ(evaluate_theory("hypercube", {"h=0.038"}).at("saturates_first"), "CL");
  EXPECT_EQ(evaluate_theory("hypercube", {"h=0.040"}).at("saturates_first"), "NCL");
}

TEST(hypercube_model, has_the_delays_and_saturation_of_its_parameters) {
  for (const bool software : {false, true}) {
    hypercube_parameters p;
    p.network = cube_network::bhbh;
    p.combining = software ? cube_combining::software : cube_combining::none;
    p.D = 6, p.d = 2;
    p.lambda = 0.2, p.alpha = 0.6, p.h = 0.1;
    p.mu_cl = 1.5, p.mu_ncl = 2.5;
    const auto delay = delays(p);
    ASSERT_TRUE(delay);
    const auto sat = saturation(p);
    EXPECT_EQ(found_by("hypercube", {"D=6", "d=2", "lambda=0.2", "alpha=0.6", "h=0.1", "mu_cl=1.5",
                                     "mu_ncl=2.5", software ? "combining=software" : "combining=none"}),
              (nlohmann::json{{"r_reg", delay->r_reg},
                              {"r_hot", delay->r_hot},
                              {"r_avg", delay->r_avg},
                              {"saturated", false},
                              {"lambda_sat", sat.lambda_sat},
                              {"saturates_first", sat.cluster_link ? "CL" : "NCL"},
                              {"saturates_first_level", sat.level}}));
  }
}

TEST(hypercube_model, saturated_delays_are_null) {
  const auto result = evaluate_theory("hypercube", {"lambda=2"});
  EXPECT_TRUE(result.at("r_avg").is_null());
  EXPECT_TRUE(result.at("saturated"));
  EXPECT_TRUE(result.at("lambda_sat").is_number());
}

TEST(hypercube_model, errors_name_what_was_expected) {
  EXPECT_THAT(error_of("hypercube", {"network=mesh"}), testing::HasSubstr("expected bh or bhbh"));
  EXPECT_THAT(error_of("hypercube", {"d=8"}), testing::HasSubstr("less than D=8"));
  EXPECT_THAT(error_of("hypercube", {"h=0.3"}), testing::HasSubstr("at most 1 - alpha"));
}
