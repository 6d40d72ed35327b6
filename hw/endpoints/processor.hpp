#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/kernel/counters.hpp>

namespace spillway {

/// What messages cost a processor, in cycles.
struct processor_config {
  unsigned send = 0;     ///< of a packet, its transfer to the interface included
  unsigned receive = 0;  ///< of a packet, from the poll that finds it to the end of its handler
  unsigned poll = 0;     ///< of a poll that finds nothing
  /// Of times in which it neither sends nor receives: mean cycles from the end of one to the begin of the
  /// next, exponential; 0: there are none.
  std::uint64_t away_every = 0;
  std::uint64_t away_for = 0;          ///< cycles that each lasts, 1 or more
  std::uint64_t seed = 1;              ///< of those times
  std::vector<pause_interval> pauses;  ///< further such times, in order, not overlapping

  /// Throws std::invalid_argument for times that last no cycle.
  void check() const;
};

/// A supply may have this face too: what its handlers cost a processor.
class handler_costs {
public:
  virtual ~handler_costs() = default;
  /// Cycles of work on the packet, beyond what every packet costs.
  virtual std::uint64_t handling(const flit& head) const = 0;
};

/// A processor that runs active messages: it does one thing at a time, and receives only when it polls. It
/// polls before each send, and when it has nothing else to do, until no message waits. While the interface
/// has no room for a packet it goes on polling.
///
/// Its times away begin at random, whatever it and the network do, but it finishes what it is at first.
class processor : public clocked {
public:
  packet_out out{"out"};                     ///< to the network interface, one lane
  packet_in in{"in"};                        ///< from it
  output<std::uint32_t> reached{"reached"};  ///< barriers that it has come to
  input<std::uint32_t> passed{"passed"};     ///< barriers that all have come to

  /// `supply`: its packets, and what it is told; if it is a handler_costs too, those are added to `receive`.
  /// `observer`: hears of packets that come into being, enter the interface and arrive. Throws as
  /// processor_config::check().
  processor(const sc_core::sc_module_name& name, unsigned terminal, const processor_config& config,
            std::unique_ptr<packet_supply> supply, endpoint_observer& observer);

  std::uint64_t held_flits() const;  ///< flits of packets that wait or have not wholly left
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits thrown away by resets so far
  /// `processor.sent`, `processor.received`, in packets.
  void count(counters& all) const;

private:
  enum class work : std::uint8_t { idle, sending, receiving };

  void reset() override;
  void tick() override;
  void send_flit();
  void receive_flit();
  void choose();
  bool away();
  void call_when_away();
  bool at_a_poll();
  void call_at(std::uint64_t at);
  /// Whether a flit is shown that it may take.
  bool comes() const { return in.valid.read() && in.data.read().lane == 0; }

  const unsigned terminal_;
  const processor_config config_;
  packet_maker maker_;
  const handler_costs* const costs_;  // of the supply, if it has any
  work work_ = work::idle;
  std::uint64_t free_at_ = 0;   // when the work under way is done, if the transfer is
  std::uint64_t shows_at_ = 0;  // when the packet goes to the interface
  bool transferred_ = false;    // all flits have crossed
  bool polling_ = false;        // there was nothing to do at polled_at_
  std::uint64_t polled_at_ = 0;
  std::uint64_t away_from_ = 0, away_until_ = 0, times_away_ = 0;
  flit showing_;
  bool valid_ = false, open_ = false;  // what the pins show
  std::uint32_t passed_ = 0, reached_ = 0;
  std::uint64_t lost_ = 0, sent_ = 0, received_ = 0;
};

/// Tells processors when all have come to a barrier: `passed` is the least of what they have reached,
/// `latency` cycles (at least 1, else std::invalid_argument) after the last of them shows it.
class phase_barrier : public clocked {
public:
  row<input<std::uint32_t>> reached;       ///< reached<p>: barriers that processor p has come to
  output<std::uint32_t> passed{"passed"};  ///< barriers that all have come to; registered

  /// `processors`: number of pins `reached`. `latency`: cycles, 1 or more.
  phase_barrier(const sc_core::sc_module_name& name, unsigned processors, unsigned latency = 1)
      : clocked(name), reached(processors, "reached"), latency_(latency) {
    detail::need(latency >= 1, "a barrier takes at least 1 cycle, found 0");
  }

private:
  void reset() override;
  void tick() override;

  const unsigned latency_;
  std::uint32_t shown_ = 0, coming_ = 0;
  std::uint64_t due_ = 0;
};

}  // namespace spillway
