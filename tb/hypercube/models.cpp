#include <fmt/format.h>

#include <algorithm>
#include <spillway/tb/hypercube/hypercube.hpp>
#include <spillway/tb/hypercube/models.hpp>
#include <spillway/tb/theory/parameters.hpp>

namespace spillway::theory {
namespace {

using nlohmann::json;

json evaluate_hypercube(const arguments& a) {
  hypercube_parameters p;
  p.network = a.word("network") == "bh" ? cube_network::bh : cube_network::bhbh;
  p.combining = a.word("combining") == "none" ? cube_combining::none : cube_combining::software;
  p.D = static_cast<int>(a.whole("D"));
  p.d = static_cast<int>(a.whole("d"));
  p.lambda = a.real("lambda");
  p.alpha = a.real("alpha");
  p.h = a.real("h");
  p.mu_cl = a.real("mu_cl");
  p.mu_ncl = a.real("mu_ncl");
  if (p.d >= p.D) reject("hypercube", fmt::format("d={}", p.d), fmt::format("less than D={}", p.D));
  // Written as decimals, alpha and h may sum to a little more than 1: 0.92 + 0.08 does not, 0.84 + 0.16 may.
  if (p.h >= 1 || p.alpha + p.h > 1 + 1e-12) {
    reject("hypercube", fmt::format("h={}, alpha={}", p.h, p.alpha), "h below 1 and at most 1 - alpha");
  }
  p.alpha = std::min(p.alpha, 1 - p.h);
  const auto delay = delays(p);
  const auto sat = saturation(p);
  return {{"r_reg", delay ? number(delay->r_reg) : json(nullptr)},
          {"r_hot", delay ? number(delay->r_hot) : json(nullptr)},
          {"r_avg", delay ? number(delay->r_avg) : json(nullptr)},
          {"saturated", !delay},
          {"lambda_sat", number(sat.lambda_sat)},
          {"saturates_first", sat.cluster_link ? "CL" : "NCL"},
          {"saturates_first_level", sat.level}};
}

model hypercube_model() {
  return {"hypercube",
          "hypercubes with a hot node: mean delay of regular and hot messages (M/M/1 links, random routing) "
          "and the "
          "rate at which the network saturates",
          {word("network", "bh: one hypercube; bhbh: clusters joined by their interface nodes", "bhbh",
                {"bh", "bhbh"}),
           whole("D", "2^D nodes", 8, 2, 30), whole("d", "2^d nodes a cluster, less than D", 3, 1, 29),
           real("lambda", "messages a node and time unit", 0.3, 0, 1e9),
           real("alpha", "share of messages within the cluster", 0.75, 0, 1),
           real("h", "share of messages to the hot node, at most 1 - alpha", 0.08, 0, 1),
           real("mu_cl", "service rate of cluster links", 1.4, 1e-9, 1e9),
           real("mu_ncl", "service rate of the other links (the paper's BH has 1.4)", 2.8, 1e-9, 1e9),
           word("combining", "combining of hot messages", "none", {"none", "software"})},
          evaluate_hypercube};
}

}  // namespace

std::vector<model> hypercube_models() { return {hypercube_model()}; }

}  // namespace spillway::theory
