#pragma once
#include <array>
#include <boost/random/taus88.hpp>
#include <cstdint>
#include <memory>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <string>
#include <vector>

namespace spillway {

/// One generator a purpose and terminal, all from one seed: two networks see the same traffic.
using random_stream = boost::random::taus88;
random_stream make_stream(std::uint64_t seed, std::uint64_t terminal, std::uint64_t purpose);

/// Bit of flit::flags: a message to the hot spot of locality traffic, or the reply to one.
constexpr std::uint8_t hot_message = 1;

/// When packets come into being.
enum class injection {
  bernoulli,    ///< in each cycle with the same probability
  exponential,  ///< exponential gaps, several in a cycle possible
  blocking,     ///< the same, but a gap begins when the packet before has found room at the source
  saturated,    ///< as fast as the network takes them
  burst,        ///< on and off: bursts of geometric length, back to back
  batch,        ///< one packet each of some terminals at once, now and again
};

/// Where they go.
enum class pattern {
  uniform,
  hotspot,
  shift,
  transpose,
  bit_reversal,
  bit_complement,
  tornado,
  shuffle,
  all_to_one,
  cshift,
  trace,
  locality,  ///< a hot spot, the own cluster, other clusters
};

/// A packet of a trace.
struct trace_line {
  std::uint64_t cycle;  ///< after the start of the entry
  std::uint32_t source, destination;
  std::uint16_t length;  ///< flits
};

/// Which terminals send in which batch: `senders` of them, distinct, at random, anew for each.
class batch_plan {
public:
  /// `senders`: at most `terminals`.
  batch_plan(std::uint32_t terminals, std::uint32_t senders, std::uint32_t batches, std::uint64_t seed);

  /// The batches of a terminal, from 0, ascending: `count(t)` of them.
  std::uint32_t batch(std::uint32_t terminal, std::uint64_t i) const {
    return batches_[first_[terminal] + i];
  }
  std::uint64_t count(std::uint32_t terminal) const { return first_[terminal + 1] - first_[terminal]; }

private:
  std::vector<std::uint64_t> first_;  // by terminal, in batches_
  std::vector<std::uint32_t> batches_;
};

/// One entry of the traffic list.
struct traffic_entry {
  pattern where = pattern::uniform;
  injection when = injection::bernoulli;
  double rate = 0.1;                   ///< flits a cycle and terminal
  std::uint64_t messages = 0;          ///< packets a terminal; 0: no such limit
  std::uint64_t cycles = 0;            ///< 0: no such limit
  double fraction = 0;                 ///< of hotspot traffic that goes to a target
  std::vector<std::uint32_t> targets;  ///< of hotspot traffic; none, and fraction 1: it sends nothing
  std::vector<bool> hot_sources;       ///< terminals whose traffic has the hot spot; empty: all
  std::vector<bool> spared;            ///< terminals that uniform traffic does not go to; empty: none
  double local = 0;                    ///< of locality: fraction that stays in the own cluster
  std::uint32_t cluster = 1;           ///< of locality: terminals in a cluster, which divides their number
  std::uint64_t unit = 0;              ///< of locality: cycles of a time unit
  std::uint64_t offset = 1;            ///< of shift; the target of all_to_one
  std::uint64_t per_phase = 1;         ///< packets a phase of cshift
  double burst_length = 16;            ///< mean packets a burst
  bool include_self = false;           ///< of uniform
  std::uint64_t batches = 1;           ///< of batch injection
  std::uint64_t every = 1;             ///< cycles from one batch to the next
  std::shared_ptr<const batch_plan> plan;  ///< of batch injection; null: all terminals send in all batches
  std::shared_ptr<const std::vector<trace_line>> trace;
  std::uint8_t flags = 0;  ///< of its packets: a word from the software to the network interface
};

/// What a pattern that gives every terminal one destination sends `source` to. `terminals` is a power of two
/// for the patterns on bits (an even power for transpose); needs_power_of_two() tells.
std::uint32_t permute(pattern p, std::uint32_t source, std::uint32_t terminals, std::uint64_t offset);
/// `share` of the terminals, to the nearest whole number: the first ones, or a random choice by `seed`.
std::vector<bool> choose_terminals(double share, std::uint32_t terminals, bool random, std::uint64_t seed);
/// `count` of them (all, if there are fewer) at random, in ascending order; independent of the above.
std::vector<std::uint32_t> choose_stopped(std::uint32_t count, std::uint32_t terminals, std::uint64_t seed);
bool is_permutation(pattern p);
bool needs_power_of_two(pattern p);

/// The traffic list of one terminal, entry after entry. A terminal that a permutation maps to itself
/// sends nothing in that entry.
class traffic_supply final : public packet_supply {
public:
  /// `length`: flits a packet.
  traffic_supply(std::shared_ptr<const std::vector<traffic_entry>> entries, std::uint32_t terminal,
                 std::uint32_t terminals, std::uint16_t length, std::uint64_t seed);

  std::uint64_t due(std::uint64_t now, std::size_t backlog) override;
  packet_order take(std::uint64_t now) override;
  bool exhausted() const override { return entry_ == entries_->size(); }
  bool minds_backlog() const override { return !exhausted() && current().when == injection::saturated; }
  /// When the next packet comes into being, past where it waits for room; `never` if that is not known yet.
  std::uint64_t scheduled() const { return next_; }

private:
  const traffic_entry& current() const { return (*entries_)[entry_]; }
  void enter(std::size_t entry, std::uint64_t cycle);
  bool over(std::uint64_t cycle) const;
  void draw_next(std::uint64_t now);
  /// Sets `kind` where the packet may be combined.
  std::uint32_t destination(flit_kind& kind);
  std::uint32_t any_terminal(bool or_itself);
  double uniform_time();
  std::uint32_t below(std::uint32_t n);

  const std::shared_ptr<const std::vector<traffic_entry>> entries_;
  const std::uint32_t terminal_, terminals_;
  const std::uint16_t length_;
  random_stream when_, where_;
  std::size_t entry_ = 0;
  std::uint64_t begin_ = 0;     // cycle at which the entry began
  std::uint64_t sent_ = 0;      // packets of the entry so far
  std::uint64_t next_ = never;  // when the next one comes into being
  double clock_ = 0;            // exact time of exponential arrivals
  std::uint64_t burst_left_ = 0;
  std::size_t line_ = 0;  // of the trace
};

}  // namespace spillway
