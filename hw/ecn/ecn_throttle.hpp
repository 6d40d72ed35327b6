#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/ecn/ecn_delays.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <vector>

namespace spillway {

/// Which of the packets that may go a source sends.
enum class ecn_choice : std::uint8_t {
  oldest,       ///< the one that came first
  round_robin,  ///< destinations have turns, a packet each
};

/// Size of an ecn_throttle.
struct ecn_throttle_config {
  unsigned terminals = 1;                  ///< destinations
  unsigned packet_length = 1;              ///< flits of the longest packet, at least 1
  unsigned pool = 64;                      ///< packets that wait, 1 to 65535
  ecn_delays_config delays;                ///< of the destinations
  ecn_choice choice = ecn_choice::oldest;  ///< which of the packets that may go is sent

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// What a source does about notifications: from the last flit of a packet to the head of the next one to the
/// same destination it lets pass the cycles of the destination's entry in a table of delays.
///
/// Packets wait in the numbered places of a pool, so that those to other destinations pass; of those that may
/// go, the oldest does, or the first of the destination whose turn it is. A packet goes one cycle after its
/// last flit has come.
class ecn_throttle final : public clocked {
public:
  packet_in in{"in"};            ///< from the terminal
  packet_out out{"out"};         ///< towards the network
  packet_in notices{"notices"};  ///< notifications, taken at once

  /// `next`: what `out` leads to, known to `routes` by its number.
  ecn_throttle(const sc_core::sc_module_name& name, const ecn_throttle_config& config,
               std::shared_ptr<const routing> routes = {}, link_end next = {});

  /// Its pool, in order, and of each destination the index and the time of the last tail.
  hardware_size storage() const override {
    const std::uint64_t places = config_.pool, destinations = config_.terminals;
    return {places * config_.packet_length, 0,
            places * (2u * bits_to(config_.packet_length) + bits_below(places)) +
                destinations * (bits_below(config_.delays.table.size()) + std::uint64_t{time_bits})};
  }
  std::uint64_t held_flits() const { return held_; }     ///< flits of packets in its pool
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits thrown away by resets so far
  /// Of a destination, as of the last edge.
  unsigned index(unsigned destination) const {
    // It may have slept since it was called.
    return delays_.at(destination, cycle() ? cycle() - 1 : 0);
  }
  /// `ecn.notifications_heard`, `ecn.packets_delayed`.
  void count(counters& all) const;

private:
  static constexpr unsigned none = ~0u;
  struct place {
    std::uint16_t flits = 0, sent = 0;
    std::uint32_t destination = 0;
  };

  void reset() override;
  void tick() override;
  void clear(std::uint64_t now);
  void hear();
  bool send();
  bool take();
  void start();
  std::vector<unsigned>::iterator choose();
  void show();
  void offer_room();
  std::uint64_t may_go_at(unsigned destination) const {
    return tail_sent_[destination] + delays_.delay(destination, now_);
  }
  flit& flit_of(unsigned number, unsigned index) {
    return flits_[std::size_t{number} * config_.packet_length + index];
  }

  const ecn_throttle_config config_;
  const std::shared_ptr<const routing> routes_;
  const link_end next_;
  ecn_delays delays_;
  std::vector<std::uint64_t> tail_sent_;  // by destination: cycle of the last one
  std::vector<place> places_;
  std::vector<flit> flits_;        // of the places
  std::vector<unsigned> free_;     // places
  std::vector<unsigned> waiting_;  // places of whole packets, the oldest first
  unsigned turn_ = 0;              // destination with the first claim
  unsigned filling_ = none, sending_ = none;
  bool open_ = false;     // what in.ready shows
  bool showing_ = false;  // what out.valid shows
  std::uint64_t now_ = 0, held_ = 0, lost_ = 0, heard_ = 0, delayed_ = 0;
};

}  // namespace spillway
