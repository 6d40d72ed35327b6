#pragma once
#include <cstdint>
#include <spillway/hw/links/link_counter.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Which rules a packet_checker enforces; docs/checker-rules.md states them in full.
struct packet_checker_config {
  std::string link;         ///< name of the link in messages; empty: that of the checker, if it is a module
  bool stable = true;       ///< PL1 a flit stays unchanged until it is accepted
  bool needs_ready = true;  ///< PL2 no move to the packet's next flit without the ready bit
  bool contiguous = true;   ///< PL3 flits of a packet are contiguous in their lane, head first
  std::uint64_t patience = 0;  ///< PL4 cycles that a flit may wait after the first; 0: any number
  bool known = true;           ///< PL5 silent out of reset, and every field in its range
  unsigned lanes = 64;         ///< lanes that the link has, 1 to 64; fewer if its ends say so

  /// Throws std::invalid_argument unless `lanes` is in its range.
  void check() const;
};

/// What the pins of a packet link show at an edge.
struct packet_seen {
  std::uint64_t cycle;  ///< of the edge
  bool valid;           ///< a flit is shown
  const flit& data;     ///< the flit; means something if `valid`
  lane_mask ready;      ///< lanes that take one
};

/// The rules PL1 to PL5 of a packet link, and what is counted on it. Told of every edge at which a pin has a
/// new value, and of those that it asks for. A plain part.
class packet_rules {
public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};  ///< later than every cycle

  /// Throws std::invalid_argument unless `config.lanes` is 1 to 64. `handler`: see violation_handler.
  packet_rules(packet_checker_config config, violation_handler handler);

  /// Lanes that the ends of the link have said.
  void limit_lanes(unsigned lanes);
  /// An edge in reset.
  void reset(const packet_seen& now);
  /// Any other edge. Returns whether a flit has crossed: then it wants to be told of the next one, as the
  /// next flit may look the same.
  bool tick(const packet_seen& now);
  /// A cycle of which it wants to be told, if tick() has set one: else `never`.
  std::uint64_t new_alarm() const { return new_alarm_; }

  /// Reports a violation of `rule`; `what` was seen.
  void fail(const char* rule, const std::string& what, const packet_seen& now);

  std::uint64_t violations() const { return violations_; }  ///< reported so far
  std::uint64_t transfers() const { return transfers_; }    ///< flits that crossed the link
  const std::string& link() const { return link_; }         ///< what messages call it
  /// Up to `cycle`.
  link_counts counts(std::uint64_t cycle) const {
    return {transfers_, blocked_cycles_ + (blocked_ ? cycle - blocked_since_ : 0)};
  }
  /// From now on tells `to` of each head that crosses, as of `link`.
  void tell_heads(head_listener& to, std::uint32_t link) {
    listener_ = &to;
    link_number_ = link;
  }

private:
  struct lane_state {
    flit shown;               // the flit that waits, else the last one accepted
    std::uint64_t since = 0;  // cycle at which it was first seen
    bool waiting = false;
    bool late = false;    // PL4 reported
    bool open = false;    // inside a packet
    bool resync = false;  // a rule was broken: do not blame what follows from it
  };

  bool watch(const packet_seen& now);
  void count_blocked(bool blocked, std::uint64_t cycle);
  void show(lane_state& lane, const packet_seen& now);
  void change(lane_state& lane, const packet_seen& now);
  void withdraw(const packet_seen& now);
  void accept(lane_state& lane, std::uint64_t cycle);
  void leave_reset(const packet_seen& now);
  void see_no_such_lane(const packet_seen& now);
  void see_bad_fields(lane_state& lane, const packet_seen& now);
  void see_out_of_order(const lane_state& lane, const packet_seen& now);
  void check_patience(const packet_seen& now);

  /// The state of a lane, made when it is used for the first time.
  lane_state& lane_of(unsigned number) { return number == 0 ? first_ : other_lane(number); }
  lane_state& other_lane(unsigned number);
  template <class F>
  void for_each_lane(F&& f) {
    f(first_);
    for (lane_state& lane : others_) f(lane);
  }

  // First what every call looks at; few links use more than one lane.
  bool blocked_ = false;         // a flit was shown at the last call and did not cross
  bool in_reset_ = false;        // at the edge before
  bool reset_reported_ = false;  // the violation during this reset is reported
  bool no_such_lane_ = false;    // the same of the flit that is shown
  const bool stable_, needs_ready_, contiguous_, known_;
  unsigned waiting_ = 0;  // lanes with a flit that waits
  unsigned lanes_;        // that the link has
  std::uint64_t transfers_ = 0;
  std::uint64_t blocked_since_ = 0;
  lane_state first_;
  const std::uint64_t patience_;
  std::uint64_t new_alarm_ = never;
  head_listener* listener_ = nullptr;
  std::vector<lane_state> others_;  // as many as were used
  std::uint32_t link_number_ = 0;   // for the listener
  std::uint64_t alarm_ = never;     // cycle of the next look at the patience
  std::uint64_t violations_ = 0;
  std::uint64_t blocked_cycles_ = 0;  // up to blocked_since_
  const std::string link_;
  const violation_handler handler_;
};

}  // namespace spillway
