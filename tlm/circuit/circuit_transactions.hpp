#pragma once
#include <memory>
#include <spillway/hw/circuit/circuit_decision.hpp>
#include <spillway/hw/circuit/retry.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/tlm/calendar.hpp>
#include <vector>

namespace spillway {

/// A circuit-switched fat tree and how its messages are sent.
struct circuit_network_config {
  fat_tree shape;                          ///< of the tree
  contention winner = contention::random;  ///< of messages for one port down
  retry_policy policy;                     ///< when a rejected message is sent again
  std::uint64_t seed = 1;                  ///< of the routers' choices
  unsigned source_queue = 0;               ///< packets a terminal; 0: any number
};

/// A circuit-switched fat tree with its terminals, message by message: what happens in circuit_router,
/// circuit_interface, round_barrier, source and sink, at the same cycles and with the same random choices,
/// but with two bytes a router and no pins. Sinks listen in every cycle.
///
/// A plain part, without a clock: whoever owns it calls step() for each cycle that next() names.
class circuit_transactions {
public:
  static constexpr std::uint64_t never = calendar::never;  ///< later than every cycle

  /// `supplies`: one a terminal.
  circuit_transactions(const circuit_network_config& config,
                       std::vector<std::unique_ptr<packet_supply>> supplies, endpoint_observer& observer);

  /// The first cycle after the last step in which something happens.
  std::uint64_t next() const;
  /// Carries out one cycle.
  void step(std::uint64_t cycle);
  /// Carries out one cycle of reset: all messages are gone, and what arrivals have given rise to at the
  /// supplies; they go on.
  void reset(std::uint64_t cycle);

  /// Flits made and not yet acknowledged.
  std::uint64_t held_flits() const { return held_; }
  /// Flits thrown away by resets so far.
  std::uint64_t lost_in_reset() const { return lost_; }
  /// Flits that routers have sent so far, over circuits that are released.
  std::uint64_t forwarded() const { return forwarded_; }
  std::uint32_t rounds() const { return rounds_; }  ///< begun so far
  /// The same numbers as the blocks count.
  void count(counters& all) const;

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::size_t ahead = 16;  // visits that memory is asked for in advance

  /// A router: what its inputs want in this cycle, and which outputs circuits hold.
  struct cell {
    wishes wanted;
    std::uint8_t taken = 0;
  };
  struct message {
    std::uint64_t interface_word : 40, length : 16, network : 4, traffic_class : 4;
    std::uint32_t destination : 28;
    flit_kind kind : 4;
    std::uint32_t packet, data;
    std::uint32_t next;  // behind it in the source's queue, or in the list of free places
  };
  /// Where the message of a terminal is. Small, since every step of every message reads it.
  struct position {
    std::uint32_t destination = 0;
    std::uint32_t choices = 0;  // bit l: port d on the way up from level l
    std::uint16_t length = 1;   // flits
    std::uint8_t turn = 0;      // level of the lowest common ancestor
    std::uint8_t at = 0;        // router on the path, 0 to 2 turn
    bool acknowledged = false;  // what travels back

    bool up() const { return at < turn; }
    unsigned level() const { return at <= turn ? at : 2u * turn - at; }
    unsigned input(std::uint32_t source) const;
    unsigned output() const;
    wish wanted() const;
  };
  /// A terminal and the message that it sends. Of a million, each in one line of the cache.
  struct terminal {
    message sending{};
    std::uint32_t first = none, last = none;  // of the queue, places in waiting_
    std::uint32_t queued = 0, packets = 0, failures = 0;
    std::uint16_t delivered = 0;  // flits of the message
    bool open = true;             // the interface takes a message
    bool shows = false;           // the source has one
    std::uint64_t alarm = never;  // when the source is to be asked
    std::uint64_t start = 0;      // cycle of the head at the first router
  };
  static_assert(sizeof(terminal) == 64);
  /// A message at a router, in this cycle.
  struct visit {
    std::uint32_t source, router;
    std::uint8_t input, granted;
  };

  void ask_all_at(std::uint64_t cycle);
  void run_barrier();
  void act_on_barrier();
  void barrier_input_changed() { look_at_ = std::max(cycle_ + 1, input_visible_at_); }
  void visit_routers(const std::vector<std::uint32_t>& sources);
  void fetch_after(const visit& v) const;
  void release_routers();
  void advance_heads();
  void move_on(std::uint32_t t, unsigned granted);
  void arrive();
  void deliver();
  void received(std::uint32_t t);
  void sense();
  void ask_source(std::uint32_t t);
  void inject();
  void begin(std::uint32_t t);
  void launch(std::uint32_t t);
  void reject(std::uint32_t t);
  void give_way(std::uint32_t t);

  std::uint32_t router_of(std::uint32_t source) const;
  flit flit_of(std::uint32_t source, const message& m, unsigned index) const;

  const circuit_network_config config_;
  endpoint_observer& observer_;
  const std::vector<std::unique_ptr<packet_supply>> supplies_;
  std::vector<terminal> terminals_;
  std::vector<position> positions_;  // by source
  std::vector<cell> routers_;
  std::vector<message> waiting_;  // the queues of all sources
  std::uint32_t free_ = none;     // in waiting_

  std::uint64_t cycle_ = never;
  // Terminals by what happens to the message that they send, or to their source.
  calendar asks_, injects_, fills_, launches_, heads_, arrivals_, deliveries_, tails_, backs_, senses_;
  std::vector<visit> batch_;

  std::vector<std::uint32_t> waits_, holds_;  // for the next round, to the end of this one
  std::uint32_t sends_ = 0, rounds_ = 0, released_ = 0;
  std::uint64_t look_at_ = never, input_visible_at_ = 0;
  bool started_ = false, ended_ = false;  // said at the last edge

  std::uint64_t held_ = 0, lost_ = 0, forwarded_ = 0;
  std::uint64_t transmissions_ = 0, acknowledged_ = 0, rejected_ = 0, collisions_up_ = 0;
  std::uint64_t first_request_ = never, last_release_ = 0;
  std::vector<std::uint64_t> collisions_;  // by level
};

}  // namespace spillway
