#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <spillway/tb/theory/crossbar.hpp>
#include <stdexcept>
#include <vector>

namespace spillway::theory {
namespace {

/// Heads that want each output, descending, without zeros.
using heads = std::vector<std::uint32_t>;
using distribution = std::map<heads, double>;

/// One more head, to a uniformly random one of k outputs.
distribution add_head(const distribution& before, std::uint32_t k) {
  distribution after;
  for (const auto& [state, probability] : before) {
    for (std::size_t i = 0; i < state.size(); ++i) {
      if (i > 0 && state[i] == state[i - 1]) continue;  // equal outputs are counted with the first of them
      const auto equal = std::count(state.begin(), state.end(), state[i]);
      heads next = state;
      ++next[i];
      after[next] += probability * static_cast<double>(equal) / k;
    }
    if (state.size() < k) {
      heads next = state;
      next.push_back(1);
      after[next] += probability * static_cast<double>(k - state.size()) / k;
    }
  }
  return after;
}

/// Every wanted output serves one head and the served inputs draw new ones.
distribution next_slot(const heads& state, std::uint32_t k) {
  heads rest;
  for (const std::uint32_t count : state) {
    if (count > 1) rest.push_back(count - 1);
  }
  distribution result{{rest, 1.0}};
  for (std::size_t served = 0; served < state.size(); ++served) result = add_head(result, k);
  return result;
}

}  // namespace

double crossbar_throughput(std::uint32_t k) {
  if (k < 1 || k > 20) throw std::invalid_argument("the exact throughput of a crossbar is for 1 to 20 ports");
  std::map<heads, distribution> chain;
  std::vector<heads> open{heads(k, 1)};
  while (!open.empty()) {
    const heads state = open.back();
    open.pop_back();
    if (chain.count(state) > 0) continue;
    const auto& next = chain[state] = next_slot(state, k);
    for (const auto& step : next) open.push_back(step.first);
  }
  distribution now{{heads(k, 1), 1.0}};
  double throughput = 0, change = 1;
  while (change > 1e-14) {
    distribution after;
    for (const auto& [state, probability] : now) {
      for (const auto& [next, step] : chain.at(state)) after[next] += probability * step;
    }
    change = 0;
    for (const auto& [state, probability] : after) {
      const auto old = now.find(state);
      change += std::abs(probability - (old == now.end() ? 0 : old->second));
    }
    now = std::move(after);
  }
  for (const auto& [state, probability] : now)
    throughput += probability * static_cast<double>(state.size()) / k;
  return throughput;
}

double crossbar_limit() { return 2 - std::sqrt(2.0); }

sample simulate_crossbar(std::uint32_t k, std::uint32_t slots, std::uint32_t seed) {
  random_engine engine(seed);
  // Which head an output serves does not change how many want each output, so counts are the whole state.
  std::vector<std::uint32_t> wanted(k, 0);
  for (std::uint32_t i = 0; i < k; ++i) ++wanted[below(engine, k)];
  const auto slot = [&] {
    std::uint32_t served = 0;
    for (auto& count : wanted) {
      if (count > 0) --count, ++served;
    }
    for (std::uint32_t i = 0; i < served; ++i) ++wanted[below(engine, k)];
    return served;
  };
  for (std::uint32_t t = 0; t < slots / 10; ++t) slot();
  sample batches;
  const std::uint32_t length = std::max(1U, slots / 20);
  for (std::uint32_t batch = 0; batch < 20; ++batch) {
    double served = 0;
    for (std::uint32_t t = 0; t < length; ++t) served += slot();
    batches.add(served / length / k);
  }
  return batches;
}

}  // namespace spillway::theory
