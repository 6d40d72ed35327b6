#include <algorithm>
#include <spillway/tb/theory/occupancy.hpp>

namespace spillway::theory {

std::vector<double> occupancy(std::uint32_t B, std::uint64_t throws) {
  const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(B, throws));
  std::vector<double> probability(most + 1, 0.0);
  probability[0] = 1;
  for (std::uint64_t t = 0; t < throws; ++t) {
    for (std::size_t x = static_cast<std::size_t>(std::min<std::uint64_t>(most, t + 1)); x > 0; --x) {
      probability[x] = (probability[x] * static_cast<double>(x) +
                        probability[x - 1] * (static_cast<double>(B) - static_cast<double>(x) + 1)) /
                       B;
    }
    probability[0] = 0;
  }
  return probability;
}

}  // namespace spillway::theory
