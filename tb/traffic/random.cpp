#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/tb/traffic/random.hpp>

namespace spillway {

random_stream make_stream(std::uint64_t seed, std::uint64_t terminal, std::uint64_t purpose) {
  std::uint64_t z = draw(seed, terminal, purpose);
  std::array<std::uint32_t, 8> words;
  for (std::uint32_t& w : words) w = static_cast<std::uint32_t>((z = scatter(z)) >> 32);
  random_stream stream;
  auto first = words.begin();
  stream.seed(first, words.end());
  return stream;
}

namespace {

/// All terminals in a random order.
std::vector<std::uint32_t> shuffled(std::uint32_t terminals, random_stream stream) {
  std::vector<std::uint32_t> order(terminals);
  std::iota(order.begin(), order.end(), 0);
  for (std::uint32_t i = terminals; i > 1; --i) std::swap(order[i - 1], order[below(i, stream)]);
  return order;
}

std::uint32_t part_of(double share, std::uint32_t terminals) {
  return static_cast<std::uint32_t>(std::lround(share * terminals));
}

}  // namespace

std::vector<bool> choose_terminals(double share, std::uint32_t terminals, random_stream random) {
  std::vector<bool> chosen(terminals);
  const auto order = shuffled(terminals, random);
  for (std::uint32_t i = 0; i < part_of(share, terminals); ++i) chosen[order[i]] = true;
  return chosen;
}

std::vector<bool> choose_terminals(double share, std::uint32_t terminals, bool random, std::uint64_t seed) {
  if (random)
    return choose_terminals(share, terminals, make_stream(seed, 0, purpose_of(purpose::sources, 0)));
  std::vector<bool> chosen(terminals);
  std::fill_n(chosen.begin(), part_of(share, terminals), true);
  return chosen;
}

std::vector<std::uint32_t> choose_stopped(std::uint32_t count, std::uint32_t terminals, std::uint64_t seed) {
  auto chosen = shuffled(terminals, make_stream(seed, 0, purpose_of(purpose::stopped, 0)));
  chosen.resize(std::min(count, terminals));
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace spillway
