#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/nifdy/nifdy_config.hpp>
#include <spillway/hw/nifdy/nifdy_header.hpp>

namespace spillway {

/// Arrivals FIFO of a NIFDY unit: whole packets in the order in which their heads came, given to the
/// processor flit by flit as soon as they are there. Tells the acknowledgement generator of the scalar
/// packets that are accepted, or inserted. On a network that loses packets it drops those that have been here
/// before.
class nifdy_arrivals : public clocked {
public:
  packet_in scalar{"scalar"};       ///< all other packets, from the ports
  packet_in bulk{"bulk"};           ///< from the reorder buffers, which are acknowledged from there
  packet_out out{"out"};            ///< to the processor
  packet_out accepted{"accepted"};  ///< the head of each packet to be acknowledged, as a flit of its own

  /// `config`: of the unit, a valid one.
  nifdy_arrivals(const sc_core::sc_module_name& name, const nifdy_config& config);

  /// Its packets, each with the flits that are still to come.
  hardware_size storage() const override {
    return {
        std::uint64_t{config_.arrivals} * config_.packet_length, 0,
        config_.arrivals * (std::uint64_t{bits_to(config_.packet_length)} + bits_below(config_.arrivals))};
  }
  std::uint64_t held_flits() const;  ///< flits of packets that the processor has not taken
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits thrown away by resets so far
  /// `nifdy.duplicates_dropped`.
  void count(counters& all) const;

private:
  struct entry {
    std::deque<flit> flits;
    std::uint16_t to_come = 0;
    unsigned input = 0;
  };
  struct seen {  // of a source, on a network that loses packets
    bool toggle = false, acknowledged = true;
  };

  void reset() override;
  void tick() override;
  void deliver();
  void take(unsigned input);
  bool take_scalar_head(const flit& f);
  void acknowledge(const flit& head);
  void show();
  void offer_room();
  bool to_be_acknowledged(const flit& f) const;
  packet_in& pins(unsigned input) { return input ? bulk : scalar; }

  const nifdy_config config_;
  std::deque<entry> packets_;
  std::array<bool, 2> inside_{};  // by input: in the middle of a packet
  bool dropping_ = false;         // of the scalar input: a duplicate
  std::deque<flit> acknowledgements_;
  bool showing_ = false;
  unsigned turn_ = 0;  // input that may have the last free buffer
  std::map<std::uint32_t, seen> sources_;
  std::uint64_t lost_ = 0, duplicates_ = 0;
};

}  // namespace spillway
