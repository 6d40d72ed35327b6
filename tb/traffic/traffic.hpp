#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/tb/traffic/injection.hpp>
#include <spillway/tb/traffic/packet_lengths.hpp>
#include <spillway/tb/traffic/pattern.hpp>
#include <spillway/tb/traffic/random.hpp>
#include <vector>

namespace spillway {

/// Bit of flit::traffic_class: a message to the hot spot of locality traffic, or the reply to one.
constexpr std::uint8_t hot_message = 1;
/// Bits of flit::traffic_class: a message of the software of terminals to its like, which is not answered.
constexpr std::uint8_t software_message = 2 | 4;

/// One entry of the traffic list: where packets go, when they come into being, how long they are.
struct traffic_entry {
  std::shared_ptr<const pattern> where;
  std::shared_ptr<const injection> when;
  packet_lengths lengths = {};
  std::uint64_t start = 0;           ///< cycle from which it may begin
  std::uint64_t messages = 0;        ///< packets a terminal; 0: no such limit
  std::uint64_t cycles = 0;          ///< 0: no such limit
  std::vector<bool> senders = {};    ///< terminals that carry it out; empty: all
  unsigned message = 1;              ///< packets that come into being together and go to one destination
  std::uint64_t interface_word = 0;  ///< of its packets: what the software asks of the network interface

  bool ends() const { return messages || cycles || when->ends() || where->ends(); }
};
using traffic_list = std::vector<traffic_entry>;

/// Packets that come into being at times of their own.
class timed_supply : public packet_supply {
public:
  /// When the next packet comes into being, past where it waits for room; `never` if that is not known yet.
  virtual std::uint64_t scheduled() const = 0;
};

/// The traffic list of one terminal, entry after entry. A terminal that sends nothing in an entry goes on to
/// the next, unless the entry has an end in cycles.
class alignas(64) traffic_supply final : public timed_supply {  // whole lines of the cache
public:
  /// `stream`: number of the list among those that run side by side.
  traffic_supply(std::shared_ptr<const traffic_list> entries, std::uint32_t terminal, std::uint64_t seed,
                 unsigned stream = 0);

  std::uint64_t due(std::uint64_t now, std::size_t backlog) override;
  packet_order take(std::uint64_t now) override;
  bool exhausted() const override { return entry_ == entries_->size(); }
  bool depends_on_backlog() const override { return waits_ && !exhausted(); }
  std::uint64_t scheduled() const override { return next_; }

private:
  const traffic_entry& current() const { return (*entries_)[entry_]; }
  void enter(std::size_t entry, std::uint64_t cycle);
  bool over(std::uint64_t cycle) const {
    return cycle >= end_ || sent_ >= limit_ || (next_ == never && over_when_done_);
  }

  const std::shared_ptr<const traffic_list> entries_;
  const std::uint32_t terminal_;
  random_stream when_, where_, how_long_;
  // Of the current entry:
  std::size_t entry_ = 0;
  std::shared_ptr<arrivals> arrivals_;
  std::uint64_t end_ = never;    // first cycle past it
  std::uint64_t limit_ = never;  // packets
  std::uint64_t sent_ = 0;       // packets so far
  unsigned left_ = 0;            // packets of the message under way
  unsigned flits_ = 0;           // of that message so far
  packet_order last_;            // of that message
  std::uint64_t next_ = never;   // when the next one comes into being
  bool waits_ = false;           // packets come only when none waits
  bool over_when_done_ = true;   // with the last packet
};

/// Several lists that a terminal carries out side by side. What comes into being in the same cycle goes in
/// the order in which it was scheduled, then in that of the lists.
class merged_supply final : public timed_supply {
public:
  explicit merged_supply(std::vector<std::unique_ptr<timed_supply>> streams);

  std::uint64_t due(std::uint64_t now, std::size_t backlog) override;
  packet_order take(std::uint64_t now) override;
  bool exhausted() const override;
  bool depends_on_backlog() const override;
  std::uint64_t scheduled() const override;

private:
  const std::vector<std::unique_ptr<timed_supply>> streams_;
  std::vector<std::uint64_t> due_;  // what each said last
};

}  // namespace spillway
