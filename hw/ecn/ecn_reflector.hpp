#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/routing.hpp>

namespace spillway {

/// Settings of an ecn_reflector.
struct ecn_reflector_config {
  unsigned terminal = 0;        ///< number of the terminal
  unsigned network = 1;         ///< logical network of the notifications, 0 to 3
  unsigned notifications = 16;  ///< that wait to be sent, at least 1

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// Returns marks: for a packet that comes with one it sends a notification to its source. While one to that
/// source waits there is no second, and if as many wait as there are places for, the mark is forgotten: so
/// nothing that arrives waits for the network that leads back.
class ecn_reflector final : public clocked {
public:
  packet_in in{"in"};                 ///< packets from the network
  packet_out out{"out"};              ///< the same to the terminal, a cycle later
  packet_out reflected{"reflected"};  ///< notifications, one flit each

  /// `next`: what `reflected` leads to, known to `routes` by its number.
  ecn_reflector(const sc_core::sc_module_name& name, const ecn_reflector_config& config,
                std::shared_ptr<const routing> routes = {}, link_end next = {});

  /// Flits of packets; notifications do not count.
  std::uint64_t held_flits() const { return queue_.size(); }
  /// Two flits, and the sources of the notifications that wait.
  hardware_size storage() const override { return {places, config_.notifications, 0}; }
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits of packets thrown away by resets so far
  /// `ecn.packets_marked` of those that came, `ecn.notifications`, `ecn.notifications_merged`,
  /// `ecn.notifications_dropped`.
  void count(counters& all) const;

private:
  static constexpr std::size_t places = 2;  // full rate with a registered ready

  void reset() override;
  void tick() override;
  void note(std::uint32_t source);
  flit notification_to(std::uint32_t source) const;

  const ecn_reflector_config config_;
  const std::shared_ptr<const routing> routes_;
  const link_end next_;
  std::deque<flit> queue_;
  std::deque<std::uint32_t> pending_;  // sources; the first is on the pins
  std::uint64_t lost_ = 0, marked_ = 0, sent_ = 0, merged_ = 0, dropped_ = 0;
};

}  // namespace spillway
