#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <vector>

namespace spillway {

/// Where an interface acknowledges packets, marks ride on its acknowledgements: for a notification it notes
/// whom it is for, a bit a terminal, and gives the next acknowledgement to there the backward mark. For one
/// that comes with the mark it makes a notification again.
class ecn_rider final : public clocked {
public:
  packet_in notifications{"notifications"};  ///< from a reflector, taken at once
  packet_in acks{"acks"};                    ///< of the terminal's interface
  packet_out reflected{"reflected"};         ///< the same towards their network, a cycle later
  packet_in returned{"returned"};            ///< acknowledgements from the network
  packet_out acks_in{"acks_in"};             ///< the same to the interface, a cycle later
  packet_out notices{"notices"};             ///< to a throttle, which takes them at once

  /// `next`: what `reflected` leads to, known to `routes` by its number.
  ecn_rider(const sc_core::sc_module_name& name, unsigned terminals,
            std::shared_ptr<const routing> routes = {}, link_end next = {});

  /// Two acknowledgements each way, and a bit a source.
  hardware_size storage() const override { return {2 * places, 0, owed_.size()}; }
  /// `ecn.marks_on_acknowledgements`.
  void count(counters& all) const;

private:
  static constexpr std::size_t places = 2;  // full rate with a registered ready

  void reset() override;
  void tick() override;
  bool note_owed();
  bool carry_out();
  bool carry_in();
  flit marked(flit ack);

  const std::shared_ptr<const routing> routes_;
  const link_end next_;
  std::vector<bool> owed_;  // by terminal
  std::deque<flit> out_, in_;
  std::uint8_t lane_ = 0;  // of the acknowledgement under way
  std::uint64_t ridden_ = 0;
};

}  // namespace spillway
