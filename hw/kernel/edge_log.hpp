#pragma once
#include <functional>
#include <limits>
#include <spillway/hw/kernel/clock_domain.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace spillway {

/// Hands on what the blocks of a clock domain say otherwise than by wires, in the order of the blocks: at
/// once, or after the edge if several threads step the domain.
template <class Event>
class edge_log final : public clock_domain::after_edge {
public:
  /// `domain`: nullptr for blocks on signals. `late`: see clock_domain::add_log.
  edge_log(clock_domain* domain, std::function<void(const Event&)> to, bool late = false)
      : to_(std::move(to)) {
    if (domain) domain->add_log(*this, late);
  }
  edge_log(const edge_log&) = delete;
  edge_log& operator=(const edge_log&) = delete;

  /// Whether what is said now is kept until after the edge.
  static bool keeps() { return domain_part::here(); }
  /// Tells it now, or keeps it until after the edge; see keeps(). Throws std::logic_error if a block says it
  /// that is stepped beside others and the log is of no domain.
  void say(const Event& event) {
    const domain_part* const part = domain_part::here();
    if (!part) return to_(event);
    if (said_.empty()) throw std::logic_error("several threads step what has an edge_log of no clock domain");
    said_[part->number()].list.push_back({part->calling(), event});
  }
  void use_parts(std::size_t parts) override {
    said_.resize(parts);
    kept_.resize(parts);
  }
  void end_edge() override { said_.swap(kept_); }
  /// Tells what was kept in the edge, in the order of the blocks.
  void hand_on() override {
    next_.assign(kept_.size(), 0);
    while (true) {
      std::size_t from = kept_.size();
      std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
      for (std::size_t part = 0; part < kept_.size(); ++part)
        if (next_[part] < kept_[part].list.size() && kept_[part].list[next_[part]].block < least)
          least = kept_[part].list[next_[part]].block, from = part;
      if (from == kept_.size()) break;
      to_(kept_[from].list[next_[from]++].event);
    }
    for (auto& part : kept_) part.list.clear();
  }

private:
  struct entry {
    std::uint32_t block;
    Event event;
  };
  // What one thread writes, in lines of its own.
  struct alignas(128) of_part {
    std::vector<entry> list;  // in the order of the blocks
  };
  const std::function<void(const Event&)> to_;
  std::vector<of_part> said_, kept_;  // at this edge, and at the one before: by part
  std::vector<std::size_t> next_;
};

}  // namespace spillway
