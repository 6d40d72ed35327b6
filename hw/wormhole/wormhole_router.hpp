#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/hw/switching/separable_allocator.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <spillway/hw/wormhole/router_lanes.hpp>
#include <vector>

namespace spillway {

/// Input-buffered router with virtual channels: a queue of `depth` flits an input and channel, a separable
/// allocator of output channels to packets and one of the crossbar to flits (Dally and Towles, chapters 16
/// to 19). Logical networks have channels of their own on the same links.
///
/// A flit takes one cycle from input to output, its head `latency` cycles. The ready mask is the credit: bit
/// c tells that channel c has room. A link on which a flit takes several cycles moves it at the edge that
/// ends the last of them. The inputs do not block each other, but an input sends one flit a cycle.
class wormhole_router : public switch_block {
public:
  /// `node`: the number that `routes` knows this router by.
  wormhole_router(const sc_core::sc_module_name& name, const router_config& config, unsigned node,
                  std::shared_ptr<const routing> routes);

  unsigned level() const override { return level_; }
  unsigned capacity() const override { return static_cast<unsigned>(slots_.size()); }

private:
  static constexpr std::uint8_t none = 0xff;

  struct slot {
    flit data;
    std::uint32_t arrived = 0;  // low bits of the cycle
  };
  struct queue {  // one virtual channel of one input
    std::uint16_t first = 0, flits = 0;
    std::uint8_t way = 0;     // output channel of the packet at the front, when it has one
    std::uint8_t link = 0;    // and its link
    std::uint64_t wants = 0;  // output channels that it may have; 0: not asked for yet
  };
  struct link_state {       // an output link, or one network's share of its time
    std::uint8_t from = 0;  // queue whose flit is on it
    std::uint64_t due = 0;  // edge at which the flit can cross
  };

  void reset() override;
  void tick() override;
  void clear();

  void send();
  void transfer(unsigned link);
  void receive();
  void accept(unsigned i, const flit& f);
  void allocate_channels();
  bool eligible(unsigned q);
  std::uint64_t wanted_by(unsigned q) const;
  port_mask drawn(port_mask outputs, const flit& f) const;
  void allocate_links();
  void take_back();
  std::uint64_t rivals_among(std::uint64_t candidates) const;
  std::uint64_t load(std::uint64_t candidates);
  void put_on(unsigned link, unsigned q);
  void show();
  void offer_room();
  lane_mask room(unsigned i) const;
  unsigned entry_queue(unsigned i, unsigned network) const;
  bool has_room(unsigned q) const;
  bool goes_on() const;

  const slot& front(unsigned q) const { return slots_[std::size_t{q} * config_.depth + queues_[q].first]; }
  slot& front(unsigned q) { return slots_[std::size_t{q} * config_.depth + queues_[q].first]; }

  const router_config config_;
  const router_lanes map_;
  const unsigned node_;
  const std::shared_ptr<const routing> routes_;
  const bool in_order_;
  const bool flit_by_flit_;  // a channel takes a flit whenever it has room for one
  separable_allocator channel_allocator_, link_allocator_;
  std::vector<slot> slots_;
  std::vector<queue> queues_;
  std::vector<link_state> links_;
  std::vector<round_robin_arbiter> queue_arbiter_;  // by input: which of its queues for one link
  std::vector<lane_mask> offered_, credit_;         // what the ready pins of inputs and of outputs show
  std::vector<std::uint8_t> entry_;                 // by input and network: queue of the packet under way

  // Sets of queues
  std::uint64_t occupied_ = 0;   // have flits
  std::uint64_t full_ = 0;       // have no room
  std::uint64_t allocated_ = 0;  // the packet at the front has an output channel
  std::uint64_t inside_ = 0;     // the last flit that came was no tail
  std::uint64_t loaded_ = 0;     // the front flit is on a link
  std::uint64_t owed_ = 0;       // the front flit has been shown and was not accepted
  // Sets of output channels
  std::uint64_t free_ = 0;        // held by no packet
  std::uint64_t ready_ = 0;       // ready bit as sampled at this edge
  std::uint64_t cooling_ = 0;     // given free at this edge, when a packet must find the channel empty
  std::uint64_t escape_ = 0;      // of the escape network: only if there is no other
  std::uint64_t shown_ways_ = 0;  // of the flits that the pins show
  // Sets of links
  std::uint64_t busy_ = 0;   // have a flit
  std::uint64_t fresh_ = 0;  // since the last edge, and it is not certain that there is room for the flit
  std::uint64_t shown_ = 0;  // the pins show it

  port_mask showing_ = 0;        // outputs whose valid pin is high
  port_mask sampled_valid_ = 0;  // inputs that showed a flit at this edge
  port_mask touched_ = 0;        // inputs whose room has changed
  bool retry_ = false;           // what was not granted may be at the next edge
  unsigned level_ = 0;
};

}  // namespace spillway
