#pragma once
#include <deque>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace spillway {

/// What a flow_pause_checker watches; docs/checker-rules.md states the rules in full.
struct flow_pause_checker_config {
  std::string watched;         ///< name of the switch in messages
  unsigned inputs = 2;         ///< of the switch
  unsigned outputs = 2;        ///< of the switch
  unsigned lanes = 8;          ///< of the inputs' links
  unsigned places = 32;        ///< flits of an input
  unsigned packet_length = 1;  ///< flits of the longest packet
};

/// Watches the links of one flow_pause_switch and drives none. It holds it to FP1, no lane stays paused
/// without a packet that can end it; FP2, an input holds no more than it has places for; and FP3, the packets
/// of a source to a destination leave in the order in which they came.
class flow_pause_checker final : public clocked {
public:
  row<packet_watch> in;   ///< in0, in1, ...
  row<packet_watch> out;  ///< out0, out1, ...

  /// `config`: the switch. `handler`: see violation_handler.
  flow_pause_checker(const sc_core::sc_module_name& name, flow_pause_checker_config config,
                     violation_handler handler = {});

private:
  using flow = std::uint64_t;  // source, destination and network
  static flow flow_of(const flit& f) {
    return std::uint64_t{f.source} << 32 | std::uint64_t{f.destination} << 4 | f.network;
  }
  struct packet {
    std::uint32_t number;
    unsigned input, lane;
  };
  struct input_state {
    std::uint64_t held = 0, promised = 0;  // flits, and those of packets under way that are still to come
    std::vector<unsigned> packets;         // in the switch, by lane
    lane_mask reported = 0;                // lanes that FP1 has told of
  };

  void reset() override;
  void tick() override;
  void look_at_output(unsigned o);
  void look_at_input(unsigned i);
  void look_at_ready(unsigned i);
  void fail(const char* rule, const std::string& what);

  const flow_pause_checker_config config_;
  const violation_handler handler_;
  std::unordered_map<flow, std::deque<packet>> flows_;  // packets within the switch, in order
  std::vector<input_state> inputs_;
  std::vector<packet> leaving_;  // by output
  bool was_in_reset_ = true;     // at the edge before
};

}  // namespace spillway
