#pragma once
#include <cstdint>
#include <deque>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <utility>
#include <vector>

namespace spillway {

/// How long a pipelined link is, and how much may be under way on it.
struct link_pipeline_config {
  unsigned latency = 2;  ///< cycles from sender to receiver, and of a credit back, at least 2
  /// Flits of a lane between the sender and the receiver's input, each with a credit; 0: round_trip().
  unsigned places = 0;
  /// A lane takes the next packet only when it is empty and the receiver, who has taken the last one's tail,
  /// shows its ready bit: then the two together hold one packet at most, if the receiver does.
  bool one_packet = false;

  /// Cycles from the use of a credit to the next use of the same: so many places are enough for a flit a
  /// cycle.
  unsigned round_trip() const { return 2 * latency - 1; }
  /// What `places` comes to, 1 or more.
  unsigned places_a_lane() const { return places ? places : round_trip(); }
  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// The register stages of a packet link, with a queue a lane at the receiving end. A sender sees `ready`
/// while it has credits of the lane; a credit goes back when the receiver takes a flit. A lane gets its
/// credits when the receiver shows its ready bit for the first time. Lanes that the receiver takes have
/// turns.
///
/// With `places` for a round trip a lane is never short of credits while the receiver takes a flit a cycle;
/// with fewer its rate is places / round_trip().
class link_pipeline : public clocked {
public:
  packet_in in{"in"};     ///< from the sender
  packet_out out{"out"};  ///< to the receiver

  /// Throws as link_pipeline_config::check().
  link_pipeline(const sc_core::sc_module_name& name, const link_pipeline_config& config);

  /// Flits under way, and those that wait for the receiver.
  std::uint64_t held_flits() const;
  /// A stage a cycle of the way, places for what the receiver does not take yet, and credits.
  hardware_size storage() const override {
    const std::uint64_t lanes = lanes_.size(), places = config_.places_a_lane(),
                        registers = config_.latency - 1;
    return {registers + lanes * places, 0,
            registers * (1 + bits_to(lanes)) +
                lanes * (bits_below(places) + 2u * bits_to(places) + config_.one_packet)};
  }
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits thrown away by resets so far

private:
  template <class T>
  using stages = std::deque<std::pair<std::uint64_t, T>>;  // cycle at whose edge it comes out

  struct lane_state {
    std::deque<flit> waiting;  // for the receiver
    unsigned credits = 0;      // of the sender
  };

  void reset() override;
  void tick() override;
  bool depart();
  bool accept();
  void open_lanes();
  void arrive();
  void show();
  unsigned choose(lane_mask candidates) const;

  const link_pipeline_config config_;
  std::vector<lane_state> lanes_;
  stages<flit> forward_;
  stages<std::uint8_t> credits_;  // lane of each on its way back
  stages<lane_mask> opening_;     // lanes whose first credits, or those of the next packet, are on their way
  lane_mask opened_ = 0;          // lanes that the receiver has shown
  lane_mask closed_ = 0;          // lanes that must be empty for the next packet
  lane_mask waiting_ = 0;         // lanes with flits for the receiver
  lane_mask ready_ = 0;           // shown to the sender
  unsigned shown_ = 0;            // lane of the flit that is shown, while valid_
  bool valid_ = false;
  std::uint64_t lost_ = 0;
};

}  // namespace spillway
