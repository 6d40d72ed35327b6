#pragma once
#include <cstdint>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_rules.hpp>
#include <string>

namespace spillway {

/// Watches the wires of one packet link, of any bundle that has `valid`, `data` and `ready`, and drives none.
/// It runs on either kernel, and on the fast one it sleeps while the link does not change. `rst` is the reset
/// of the link's blocks.
class packet_checker : public clocked, public packet_watch, public link_counter {
public:
  /// Throws std::invalid_argument unless `config.lanes` is 1 to 64. `handler`: see violation_handler.
  explicit packet_checker(const sc_core::sc_module_name& name, packet_checker_config config = {},
                          violation_handler handler = {});

  std::uint64_t violations() const { return rules_.violations(); }  ///< reported so far
  /// Flits that crossed the link.
  std::uint64_t transfers() const { return rules_.transfers(); }
  const std::string& counted_link() const override { return rules_.link(); }
  link_counts counts() const override { return rules_.counts(cycle()); }
  bool tell_heads(head_listener& to, std::uint32_t link) override {
    rules_.tell_heads(to, link);
    return true;
  }

protected:
  void end_of_elaboration() override;  ///< takes the lanes that the link's ends have said
  void reset() override;
  void tick() override;
  /// Whether a flit crossed at this edge.
  bool crossed() const { return crossed_; }
  void fail(const char* rule, const std::string& what);  ///< reports a violation of `rule`; `what` was seen

private:
  packet_seen seen() const { return {cycle(), valid.read(), data.read(), ready.read()}; }

  bool crossed_ = false;
  packet_rules rules_;
};

}  // namespace spillway
