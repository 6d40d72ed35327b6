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

/// Size of an srp_receiver, and how it counts time.
struct srp_receiver_config {
  unsigned terminal = 0;                     ///< number of the terminal
  unsigned terminals = 1;                    ///< terminals of the network
  unsigned overhead = 1050;                  ///< cycles that are reserved for 1,000 flits, at least 1
  unsigned control = 1;                      ///< and for each request
  srp_reserve reserve = srp_reserve::first;  ///< with `last_switch` it keeps no times itself

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// The receiver's part of speculative reservation: it knows from which cycle on its link is not reserved,
/// grants each reservation the time from there on, and tells sources what has become of their speculative
/// packets. Packets from both networks go on to the terminal as they come, whole, reserved ones first.
///
/// Requests wait while two answers do, and speculative packets while two of theirs do.
class srp_receiver final : public clocked {
public:
  packet_in speculative{"speculative"};  ///< packets from the network
  packet_in reserved{"reserved"};        ///< the same
  packet_in requests{"requests"};        ///< reservations, and what is left of dropped packets
  packet_out out{"out"};                 ///< packets to the terminal, a cycle later
  packet_out answers{"answers"};         ///< one flit each

  /// `next`: what `answers` leads to, known to `routes` by its number.
  srp_receiver(const sc_core::sc_module_name& name, const srp_receiver_config& config,
               std::shared_ptr<const routing> routes = {}, link_end next = {});

  /// Flits of packets; requests and answers do not count.
  std::uint64_t held_flits() const { return speculative_.size() + reserved_.size(); }
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits of packets thrown away by resets so far
  /// Two flits a network, two answers each to reservations and to packets; where it grants times, the next
  /// one, and of each source the flits that room is reserved for.
  hardware_size storage() const override {
    const std::uint64_t times = expected_.empty() ? 0 : 1 + expected_.size();
    return {4 * places, 0, times * time_bits};
  }
  /// First cycle that is not reserved.
  std::uint64_t free_from() const { return free_from_; }
  /// `srp.grants`, `srp.grant_wait` (cycles from the reservations to their times, in all),
  /// `srp.acknowledgements`, `srp.packets_dropped`.
  void count(counters& all) const;

private:
  static constexpr std::size_t places = 2;  // full rate with a registered ready

  void reset() override;
  void tick() override;
  bool take(packet_in& pins, std::deque<flit>& queue);
  void answer(const flit& request);
  void reserve(std::uint64_t cycles);
  bool pass_on();
  void account(const flit& tail, bool was_reserved);
  bool offer(packet_in& pins, bool room);
  void show_packet();
  void show_answer();

  const srp_receiver_config config_;
  const std::shared_ptr<const routing> routes_;
  const link_end next_;
  std::deque<flit> speculative_, reserved_;
  std::deque<flit> replies_, receipts_;  // answers: to requests, to speculative packets
  std::deque<flit>* from_ = nullptr;     // whose packet goes to the terminal
  std::deque<flit>* telling_ = nullptr;  // whose front `answers` shows
  bool showing_ = false;                 // what out.valid shows
  std::uint64_t free_from_ = 0;
  // By source: flits that are reserved for and have not come; empty where it keeps no times.
  std::vector<std::int64_t> expected_;
  std::uint64_t lost_ = 0, grants_ = 0, waited_ = 0, receipts_made_ = 0, dropped_ = 0;
};

}  // namespace spillway
