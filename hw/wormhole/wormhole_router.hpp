#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/kernel/state_memory.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/hw/switching/separable_allocator.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <spillway/hw/wormhole/router_channels.hpp>
#include <vector>

namespace spillway {

/// What an input channel of a router does for the packet at its front.
enum class channel_state : std::uint8_t {
  idle,     ///< it has none
  routing,  ///< its output channels are not known yet
  waiting,  ///< for an output channel
  active,   ///< its flits go to the output channel that it has, until the tail has left
};

/// Input-buffered router with virtual channels (Dally and Towles, chapters 16 to 19). Logical networks have
/// channels of their own on the same links.
///
/// Ports: `in0`, ..., `out0`, ...: packet links, 1 to 64 each, of at most 64 lanes. A lane is a virtual
/// channel, or at a terminal a logical network; the ready mask is the credit: bit c tells that channel c has
/// room.
///
/// A cycle runs the stages of the textbook: routes are computed, output channels allocated to packets, links
/// allocated to flits, both by separable allocators, and flits cross switch and link. A flit takes one cycle
/// from input to output, its head `latency` cycles. A link on which a flit takes several cycles moves it at
/// the edge that ends the last of them. The inputs do not block each other, but an input sends one flit a
/// cycle.
///
/// `Set`: what a set of its channels is. See wormhole_router and large_wormhole_router.
template <class Set>
class basic_wormhole_router : public switch_block {
public:
  /// `node`: the number that `routes` knows this router by. Throws std::invalid_argument as
  /// router_config::check(), or if the channels do not fit a `Set`.
  basic_wormhole_router(const sc_core::sc_module_name& name, const router_config& config, unsigned node,
                        std::shared_ptr<const routing> routes);

  unsigned level() const override { return level_; }
  /// Flits of all channels of all inputs.
  unsigned capacity() const override { return static_cast<unsigned>(flits_.size()); }
  hardware_size storage() const override;
  /// With a drop_rule: `switches.packets_dropped`.
  void count(counters& all) const override;
  /// Of channel `channel` of input `input`, counted over all networks.
  channel_state state(unsigned input, unsigned channel) const;

private:
  using index = typename Set::index;
  static constexpr index none = static_cast<index>(~0u);
  static constexpr std::uint8_t none_bound = 64;

  struct input_channel {
    std::uint16_t first = 0, flits = 0;  // of its slots
    index output = 0;                    // active: its output channel
    index link = 0;                      // and the link of that
    std::uint8_t network = 0;            // of the packet at its front
    std::uint8_t port = 0;               // by which that came, for the routing
    std::uint8_t bound = 0;              // of the flits that come: see bound_
  };
  class load_of_outputs;
  struct output_link {      // or one network's share of its time
    index from = 0;         // input channel whose flit is on it
    bool tail = false;      // whether the one that is shown is a tail
    std::uint64_t due = 0;  // not on a wide link: edge at which the flit can cross
  };

  void reset() override;
  void tick() override;
  void clear();

  // The stages of a cycle
  void read_credits();
  void depart();
  void write_buffers();
  void compute_routes();
  void drop_expired();
  void await_expiry();
  void allocate_channels();
  void allocate_switch();
  void traverse_switch();
  void return_credits();
  void show_waiting();
  bool goes_on() const;

  void free_slot(unsigned channel, bool tail);
  void accept(unsigned i, const flit& f);
  bool is_due(unsigned channel);
  std::uint64_t life(unsigned channel) const;
  std::uint64_t life_left(unsigned channel) const;
  drop_place place_of(unsigned channel) const;
  std::uint8_t terminal_ahead(unsigned i, const flit& head) const;
  void count_bound(std::size_t slot, unsigned output);
  void count_gone(std::size_t slot);
  void drop(unsigned channel);
  bool may_be_dropped(unsigned channel) const;
  Set mortals() const;
  void write_route(unsigned channel);
  unsigned of_first_packet(unsigned channel) const;
  Set route_of(unsigned channel) const;
  Set candidates_of(unsigned channel);
  void take_back();
  Set rivals_among(const Set& requests) const;
  port_mask grant_in_turn(const Set& requests);
  port_mask grant_links(const Set& requests);
  void put_on(unsigned link, unsigned channel);
  std::uint64_t due_on(unsigned link, unsigned channel) const;
  bool is_shown(unsigned link);
  lane_mask room(unsigned i) const;
  unsigned entry_channel(unsigned i, unsigned network) const;
  bool has_room(unsigned channel) const;

  std::size_t number_of_slot(unsigned channel, unsigned place) const {
    return std::size_t{map_.dense(channel)} * config_.depth + place;
  }
  std::size_t front_slot(unsigned channel) const { return number_of_slot(channel, inputs_[channel].first); }
  flit& front(unsigned channel) { return flits_[front_slot(channel)]; }
  const flit& front(unsigned channel) const { return flits_[front_slot(channel)]; }

  const router_config config_;
  const router_channels<Set> map_;
  const unsigned node_;
  const std::shared_ptr<const routing> routes_;
  const bool in_order_;
  const bool writes_route_;                   // the routing writes the route part of heads that enter
  const bool watches_terminals_;              // its drop_rule does
  const bool flit_by_flit_;                   // a channel takes a flit whenever it has room for one
  std::vector<typename Set::compact> route_;  // by input channel, waiting: output channels it may have
  state_memory memory_;
  separable_allocator<Set> channel_allocator_, link_allocator_;
  state_array<lane_mask> credits_seen_, credits_given_;  // ready pins of outputs and of inputs
  state_array<input_channel> inputs_;
  state_array<output_link> links_;
  state_array<round_robin_arbiter> channel_arbiter_;  // by input: which of its channels for one link
  state_array<index> entry_;            // by input and network of a terminal: channel of the packet under way
  state_array<std::uint32_t> arrived_;  // by slot: low bits of the cycle at which its flit came
  // With a drop_rule that watches terminals: the output by which a flit's only way leads to its terminal,
  // none_bound: there is none; and by output how many such flits there are.
  state_array<std::uint8_t> bound_;  // by slot
  state_array<unsigned> backlog_;
  state_array<flit> flits_;  // by slot

  // Sets of input channels. The first three are their states; a channel in none of them is idle.
  Set routing_, waiting_, active_;
  Set requesting_;  // active, with a flit that is on no link
  Set refused_;     // the front flit has been shown and was not accepted
  Set full_;        // have no room
  Set receiving_;   // the last flit that came was no tail
  Set discarding_;  // of these, what comes of the packet has been dropped
  // Sets of output channels
  Set free_;      // held by no packet
  Set credit_;    // ready bit as sampled at this edge
  Set draining_;  // given free at this edge, when a packet must find the channel empty
  Set escape_;    // of the escape network: only if there is no other
  Set offered_;   // of the flits that the pins show
  // Sets of links
  Set busy_;         // have a flit
  Set speculative_;  // since the last edge, and it is not certain that there is room for the flit
  Set shown_;        // the pins show it

  port_mask showing_ = 0;        // outputs whose valid pin is high
  port_mask sampled_valid_ = 0;  // inputs that showed a flit at this edge
  port_mask touched_ = 0;        // inputs whose room may have changed
  port_mask watched_ = 0;        // inputs whose room depends on more than which of their channels are full
  bool retry_ = false;           // what was not granted may be at the next edge
  unsigned level_ = 0;
  std::uint64_t dropped_ = 0;  // packets
};

/// A router of at most 64 input channels and 64 output channels over all its ports: the faster one.
using wormhole_router = basic_wormhole_router<word_set>;
/// A router of up to 64 ports with 64 channels each.
using large_wormhole_router = basic_wormhole_router<two_level_set>;

}  // namespace spillway
