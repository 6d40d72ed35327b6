#include <fmt/format.h>

#include <algorithm>
#include <spillway/tb/experiment/stage_rows.hpp>
#include <utility>

namespace spillway {

stage_rows::stage_rows(const topology& shape, unsigned networks, std::string stage)
    : networks_(networks), stage_(std::move(stage)) {
  for (const auto v : shape.switches) {
    stage_of_.push_back(shape.g[v].stage);
    stages_ = std::max(stages_, stage_of_.back() + 1);
  }
}

std::vector<std::string> stage_rows::names() const {
  std::vector<std::string> names;
  for (unsigned network = 0; network < networks_; ++network)
    for (unsigned stage = 0; stage < stages_; ++stage)
      names.push_back(network ? fmt::format("network {} {} {}", network, stage_, stage)
                              : fmt::format("{} {}", stage_, stage));
  return names;
}

}  // namespace spillway
