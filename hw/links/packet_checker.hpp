#pragma once
#include <cstdint>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/link_counter.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Which rules a packet_checker enforces; docs/checker-rules.md states them in full.
struct packet_checker_config {
  std::string link;            ///< name of the link in messages; empty: the checker's own
  bool stable = true;          ///< PL1 a flit stays unchanged until it is accepted
  bool needs_ready = true;     ///< PL2 no move to the packet's next flit without the ready bit
  bool contiguous = true;      ///< PL3 flits of a packet are contiguous in their lane, head first
  std::uint64_t patience = 0;  ///< PL4 cycles that a flit may wait after the first; 0: any number
  bool known = true;           ///< PL5 silent out of reset, and every field in its range
  unsigned lanes = 64;         ///< lanes that the link has, 1 to 64; fewer if its ends say so
};

/// Watches the wires of one packet link, of any bundle that has `valid`, `data` and `ready`, and drives none.
/// It runs on either kernel, and on the fast one it sleeps while the link does not change. `rst` is the reset
/// of the link's blocks.
class packet_checker : public clocked, public packet_watch, public link_counter {
public:
  /// Throws std::invalid_argument unless `config.lanes` is 1 to 64. `handler`: see violation_handler.
  explicit packet_checker(const sc_core::sc_module_name& name, packet_checker_config config = {},
                          violation_handler handler = {});

  std::uint64_t violations() const { return violations_; }  ///< reported so far
  /// Flits that crossed the link.
  std::uint64_t transfers() const { return transfers_; }
  const std::string& counted_link() const override { return config_.link; }
  link_counts counts() const override {
    return {transfers_, blocked_cycles_ + (blocked_ ? cycle() - blocked_since_ : 0)};
  }
  bool tell_heads(head_listener& to, std::uint32_t link) override {
    listener_ = &to;
    link_number_ = link;
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
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  struct lane_state {
    flit shown;               // the flit that waits, else the last one accepted
    std::uint64_t since = 0;  // cycle at which it was first seen
    bool waiting = false;
    bool late = false;    // PL4 reported
    bool open = false;    // inside a packet
    bool resync = false;  // a rule was broken: do not blame what follows from it
  };

  void watch();
  void count_blocked(bool now);
  void show(lane_state& lane, const flit& f);
  void change(lane_state& lane, const flit& f);
  void withdraw();
  void accept(lane_state& lane);
  void check_fields(lane_state& lane, const flit& f);
  void check_patience();

  /// The state of a lane, made when it is used for the first time.
  lane_state& lane_of(unsigned number);
  template <class F>
  void for_each_lane(F&& f) {
    f(first_);
    for (lane_state& lane : others_) f(lane);
  }

  // First what every call looks at; few links use more than one lane.
  bool crossed_ = false;
  bool blocked_ = false;         // a flit was shown at the last call and did not cross
  bool in_reset_ = false;        // at the edge before
  bool reset_reported_ = false;  // the violation during this reset is reported
  bool no_such_lane_ = false;    // the same of the flit that is shown
  unsigned waiting_ = 0;         // lanes with a flit that waits
  std::uint64_t transfers_ = 0;
  std::uint64_t blocked_since_ = 0;
  lane_state first_;
  std::vector<lane_state> others_;  // as many as were used
  unsigned lanes_ = 64;             // that the link has
  std::uint64_t alarm_ = never;     // cycle of the next look at the patience
  std::uint64_t violations_ = 0;
  std::uint64_t blocked_cycles_ = 0;  // up to blocked_since_
  head_listener* listener_ = nullptr;
  std::uint32_t link_number_ = 0;  // for it
  const packet_checker_config config_;
  const violation_handler handler_;
};

}  // namespace spillway
