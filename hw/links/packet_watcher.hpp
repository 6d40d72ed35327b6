#pragma once
#include <spillway/hw/kernel/wire_watcher.hpp>
#include <spillway/hw/links/packet_rules.hpp>
#include <string>

namespace spillway {

/// A packet_checker that is no module, of a link of wires: what a platform has on the fast kernel. The same
/// rules, told of in the same words.
class packet_watcher final : public wire_watcher, public link_counter {
public:
  /// Throws std::invalid_argument unless `config.lanes` is 1 to 64 and `config.link` is set. `link` and
  /// `reset`: of one clock domain, else an SC_REPORT_ERROR at the end of the elaboration.
  /// `handler`: see violation_handler.
  packet_watcher(packet_wires& link, wire<bool>& reset, packet_checker_config config,
                 violation_handler handler = {});

  const char* full_name() const override { return rules_.link().c_str(); }
  const std::string& counted_link() const override { return rules_.link(); }
  link_counts counts() const override { return rules_.counts(cycle()); }
  bool tell_heads(head_listener& to, std::uint32_t link) override {
    rules_.tell_heads(to, link);
    return true;
  }

private:
  void join() override;
  void take_places() override;
  void reset() override;
  void tick() override;
  packet_seen seen() const { return {cycle(), *valid_, *data_, *ready_}; }

  const bool* valid_ = nullptr;
  const flit* data_ = nullptr;
  const lane_mask* ready_ = nullptr;
  packet_wires& link_;
  packet_rules rules_;
};

}  // namespace spillway
