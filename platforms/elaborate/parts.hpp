#pragma once
#include <memory>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/link.hpp>
#include <vector>

namespace spillway {

/// Blocks that a platform clocks, resets and asks for numbers: those of one terminal, or those that all
/// terminals share (a bus, an arbiter).
class platform_part {
public:
  virtual ~platform_part() = default;
  /// The blocks; the platform binds their clock and reset.
  virtual std::vector<clocked*> blocks() = 0;
  /// Links between its own blocks, for checkers and waveforms.
  virtual std::vector<network_link*> links() { return {}; }
  /// Checkers of rules that look at several links; clock and reset are left to the caller.
  virtual std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler&) { return {}; }
  /// Flits that it holds now: made, and neither in the network nor delivered.
  virtual std::uint64_t held_flits() const { return 0; }
  /// Of these, flits that it sends on by itself at a later cycle that it knows, as a back-off does.
  virtual std::uint64_t resting_flits() const { return 0; }
  /// Flits thrown away by resets so far.
  virtual std::uint64_t lost_in_reset() const { return 0; }
  /// Flits that switches within it have sent so far, where it models the network.
  virtual std::uint64_t forwarded() const { return 0; }
  /// Adds what its mechanism counts.
  virtual void count(counters&) const {}
  /// Who watches what happens to messages within the network, on the way to `next`.
  virtual endpoint_observer& observer(endpoint_observer& next) { return next; }
};

/// What stands between a terminal's workload and the network, or what its interface is made of: a link out
/// and a link in for each logical network.
class terminal_unit : public platform_part {
public:
  /// Bind the pins towards or from the network; network 0 unless it has more.
  virtual void connect_output(unsigned network, network_link& l) = 0;
  virtual void connect_input(unsigned network, network_link& l) = 0;
};

/// A stage of an interface: it has packet links on the side of the terminal too, as many as what stands there
/// has networks.
class interface_stage : public terminal_unit {
public:
  /// Bind the pins that take what the terminal's side sends into its network, and that give it what arrives.
  virtual void connect_sent(unsigned network, packet_link& l) = 0;
  virtual void connect_arrived(unsigned network, packet_link& l) = 0;
};

/// What all switches of a platform and the interfaces at its edge share, such as tables.
class switch_plan {
public:
  virtual ~switch_plan() = default;

  /// The plan as what a kind of switches made of it.
  template <class Plan>
  const Plan& as() const {
    return dynamic_cast<const Plan&>(*this);
  }
};

}  // namespace spillway
