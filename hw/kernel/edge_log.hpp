#pragma once
#include <functional>
#include <limits>
#include <spillway/hw/kernel/clock_domain.hpp>
#include <utility>
#include <vector>

namespace spillway {

/// Hands on what the blocks of a clock domain say otherwise than by wires, in the order of the blocks: at
/// once, or after the edge if several threads step the domain.
template <class Event>
class edge_log final : public clock_domain::after_edge {
public:
  /// `domain`: nullptr for blocks on signals.
  edge_log(clock_domain* domain, std::function<void(const Event&)> to) : to_(std::move(to)) {
    if (!domain) return;
    said_.resize(domain->wanted_threads());
    domain->add_log(*this);
  }
  edge_log(const edge_log&) = delete;
  edge_log& operator=(const edge_log&) = delete;

  /// Whether what is said now is kept until after the edge.
  static bool keeps() { return domain_part::here(); }
  /// Tells it now, or keeps it until after the edge; see keeps().
  void say(const Event& event) {
    const domain_part* const part = domain_part::here();
    if (!part) return to_(event);
    said_[part->number()].push_back({part->calling(), event});
  }
  /// Tells what was kept in the edge, in the order of the blocks.
  void hand_on() override {
    next_.assign(said_.size(), 0);
    while (true) {
      std::size_t from = said_.size();
      std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
      for (std::size_t part = 0; part < said_.size(); ++part)
        if (next_[part] < said_[part].size() && said_[part][next_[part]].block < least)
          least = said_[part][next_[part]].block, from = part;
      if (from == said_.size()) break;
      to_(said_[from][next_[from]++].event);
    }
    for (auto& part : said_) part.clear();
  }

private:
  struct entry {
    std::uint32_t block;
    Event event;
  };
  const std::function<void(const Event&)> to_;
  std::vector<std::vector<entry>> said_;  // by part, in the order of the blocks
  std::vector<std::size_t> next_;
};

}  // namespace spillway
