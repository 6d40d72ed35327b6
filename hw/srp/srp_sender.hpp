#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/srp/srp_messages.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <vector>

namespace spillway {

/// Size of an srp_sender.
struct srp_sender_config {
  unsigned terminal = 0;       ///< number of the terminal
  unsigned terminals = 1;      ///< terminals of the network
  unsigned packet_length = 1;  ///< flits of the longest packet, at least 1
  unsigned pool = 64;          ///< packets, 1 to 65535
  unsigned smallest = 128;     ///< flits of a message for which room is reserved, at least 1
  unsigned largest = 512;      ///< flits that one reservation is for, at least a packet and `smallest`
  srp_reserve reserve = srp_reserve::first;  ///< when room is reserved

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// The source's part of speculative reservation. What waits for one destination, up to `largest` flits, is a
/// message. With a reservation it is sent speculatively, until the grant or word of a dropped packet comes;
/// from the granted time on goes what has not gone yet, and again what has been dropped. A message of fewer
/// than `smallest` flits goes without a reservation. The next one to a destination begins when all of the
/// last has been delivered or sent for good, and its reservation answered.
///
/// With `after_drop` there is no reservation at first (Jiang, Dennison and Dally, SC 2015): it is for what is
/// not known to have come when the first packet of the message is dropped. With `last_switch` each packet is
/// a message, and word of its drop bears the granted time.
///
/// Packets lie in the numbered places of a pool, speculative ones until it is known what has become of them;
/// of those that may go the oldest does. A packet goes two cycles after its last flit has come.
class srp_sender final : public clocked {
public:
  packet_in in{"in"};                     ///< from the terminal
  packet_out speculative{"speculative"};  ///< towards the network
  /// The same, from the granted time on, and messages too short for a reservation.
  packet_out reserved{"reserved"};
  packet_out requests{"requests"};  ///< reservations
  packet_in answers{"answers"};     ///< grants and what became of speculative packets, taken at once

  /// `next`: what the outputs lead to, known to `routes` by its number.
  srp_sender(const sc_core::sc_module_name& name, const srp_sender_config& config,
             std::shared_ptr<const routing> routes = {}, link_end next = {});

  /// A speculative packet counts here until it is known to have come.
  std::uint64_t held_flits() const { return held_; }
  /// Its pool, in order, and the state of each message, one a destination or one a packet.
  hardware_size storage() const override {
    const std::uint64_t places = config_.pool, destinations = config_.terminals;
    const unsigned of_place = 2u * bits_to(config_.packet_length) + 3u + 2u * bits_below(places);
    if (config_.reserve == srp_reserve::last_switch)
      return {places * config_.packet_length, 0, places * (of_place + 4u + time_bits)};
    const unsigned of_flow = 4u + bits_to(places) + bits_to(config_.largest) + time_bits;
    return {places * config_.packet_length, destinations, places * of_place + destinations * of_flow};
  }
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits thrown away by resets so far
  /// `srp.reservations`, `srp.packets_speculative`, `srp.packets_refused` of these, `srp.packets_reserved`,
  /// `srp.packets_unreserved`.
  void count(counters& all) const;

private:
  static constexpr unsigned none = ~0u;
  enum class state : std::uint8_t { free, filling, waiting, due, unanswered };
  struct place {
    std::uint16_t flits = 0, sent = 0;
    state is = state::free;
    std::uint32_t destination = 0;
  };
  /// Of a message.
  enum class phase : std::uint8_t { idle, asking, speculating, stopped, granted };
  struct flow {
    phase is = phase::idle;
    bool reserved = false;
    unsigned packets = 0;     // not known to have come, nor sent for good
    unsigned flits = 0;       // of these
    std::uint64_t start = 0;  // granted: from when on
  };
  struct outlet {
    packet_out& pins;
    unsigned place = none;
    bool showing = false;  // what pins.valid shows
  };

  void reset() override;
  void tick() override;
  void clear();
  void hear();
  void heed(const flit& answer);
  unsigned unanswered(const flit& answer) const;
  bool send(outlet& by);
  bool ask();
  bool take();
  void open_message();
  void choose();
  void start(outlet& by, unsigned number);
  void show(outlet& by);
  void show_request();
  void reserve(std::uint32_t destination);
  void offer_room();
  void release(unsigned number);
  void settle(flow& f);
  void aim(flit& f) const;
  /// Of the message that the packet in a place belongs to: the one to its destination, or it alone.
  flow& flow_of(unsigned number) {
    return flows_[config_.reserve == srp_reserve::last_switch ? number : places_[number].destination];
  }
  flit& flit_of(unsigned number, unsigned index) {
    return flits_[std::size_t{number} * config_.packet_length + index];
  }

  const srp_sender_config config_;
  const std::shared_ptr<const routing> routes_;
  const link_end next_;
  std::vector<flow> flows_;  // see flow_of()
  std::vector<place> places_;
  std::vector<flit> flits_;                 // of the places
  std::vector<unsigned> free_;              // places
  std::vector<unsigned> order_;             // places of whole packets, the oldest first
  unsigned waiting_ = 0;                    // of these, in no message
  std::deque<std::uint32_t> reservations_;  // destinations; that of the first is on the pins
  bool asking_ = false;                     // what requests.valid shows
  outlet speculating_{speculative}, sending_{reserved};
  unsigned filling_ = none;
  bool open_ = false;  // what in.ready shows
  std::uint64_t now_ = 0, held_ = 0, lost_ = 0;
  std::uint64_t asked_ = 0, speculative_ = 0, refused_ = 0, reserved_ = 0, unreserved_ = 0;
};

}  // namespace spillway
