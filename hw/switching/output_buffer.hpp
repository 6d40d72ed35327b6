#pragma once
#include <cstdint>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <vector>

namespace spillway {

/// How much waits for a link behind a crossbar, and how fast the link is.
struct output_buffer_config {
  unsigned depth = 4;       ///< flits a lane, 1 to 4096
  unsigned cycles = 1;      ///< that a flit is on the link, 1 to 64
  bool one_packet = false;  ///< as link_pipeline_config::one_packet

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// A buffer between a switch's output and its link, with a queue a lane. The switch fills it with a flit a
/// cycle while the link takes one every `cycles`: with 2 the switch has an internal speedup of 2, as the
/// routers of Jiang and others (HPCA 2012) have. Lanes that the receiver takes have turns, flit by flit; one
/// that it does not take holds up no other.
///
/// A flit that comes into an empty buffer crosses the link `cycles` cycles later. A lane is open from when
/// the receiver shows its ready bit for the first time.
class output_buffer : public clocked {
public:
  packet_in in{"in"};     ///< from the switch
  packet_out out{"out"};  ///< to the link

  /// Throws as output_buffer_config::check().
  output_buffer(const sc_core::sc_module_name& name, const output_buffer_config& config);

  std::uint64_t held_flits() const;  ///< that wait, or are on the link
  /// Places, their counters and pointers, the turn, and the time of the link.
  hardware_size storage() const override {
    const std::uint64_t lanes = lanes_.size(), depth = config_.depth;
    return {lanes * depth, 0,
            lanes * (2u + bits_below(depth) + bits_to(depth) + 2u * config_.one_packet) +
                2 * bits_below(lanes) + bits_to(config_.cycles)};
  }
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits thrown away by resets so far

private:
  void reset() override;
  void tick() override;
  void depart();
  void accept();
  void open_lanes();
  void choose();
  void show();

  struct lane_state {
    unsigned first = 0, flits = 0;  // of its places
  };
  flit& place(unsigned lane, unsigned number) {
    return places_[lane * config_.depth + number % config_.depth];
  }

  const output_buffer_config config_;
  std::vector<lane_state> lanes_;
  std::vector<flit> places_;  // by lane
  lane_mask open_ = 0;        // lanes that the receiver has shown
  lane_mask full_ = 0;        // have no place
  lane_mask closed_ = 0;      // must be empty for the next packet
  lane_mask left_ = 0;  // of these, the last one's tail has left, and the receiver was not seen ready since
  lane_mask waiting_ = 0;  // have flits
  lane_mask arrived_ = 0;  // of these, their first flit has been on the link for its time
  unsigned chosen_ = 0;    // lane of the flit on the link, while busy_
  bool busy_ = false;
  std::uint64_t due_ = 0;  // busy: first edge at which it can cross
  unsigned shown_ = 0;     // lane of the flit on the pins, while some have arrived
  std::uint64_t lost_ = 0;
};

}  // namespace spillway
