#pragma once
#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <spillway/hw/combining/combining_queue.hpp>
#include <spillway/hw/combining/wait_buffer.hpp>
#include <spillway/hw/combining/wait_buffer_checker.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/hypercube/class_buffers.hpp>
#include <spillway/hw/hypercube/message_service.hpp>
#include <spillway/hw/hypercube/return_way.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <vector>

namespace spillway {

/// Which of the outputs that the routing allows a message takes.
enum class output_choice : std::uint8_t {
  random,          ///< any, equally likely
  shortest_queue,  ///< the one with the fewest messages waiting, of several any
};

/// What a queue offers when its first message has been refused, where buffers have classes.
enum class queue_order : std::uint8_t {
  fewest_hops,  ///< the message that may use every buffer that another could: free of deadlock
  fifo,         ///< the first again: what waits behind it waits for its buffer, and a network may deadlock
};

/// Who gets a buffer that is free.
enum class grant_order : std::uint8_t {
  random,            ///< any of the neighbours and the host, equally likely
  neighbours_first,  ///< any neighbour, and the host if there is none
  host_first,        ///< the host, and any neighbour if it wants none
};

/// One end of a link of a message node.
struct message_port {
  double rate = 1;         ///< messages of mean length that it transmits a time unit, above 0
  bool terminal = false;   ///< leads to or from a terminal, at a message a cycle
  bool local = true;       ///< a cluster link: counted apart from the others
  std::uint64_t link = 0;  ///< the same number at both ends of a link, and at no other link
};

/// Links, service and buffers of a message_node.
struct message_node_config {
  static constexpr unsigned most_hops = 64;  ///< a link has a lane for each number of hops

  std::vector<message_port> inputs;              ///< 0 to 64
  std::vector<message_port> outputs;             ///< 0 to 64
  message_service service;                       ///< how long messages are
  output_choice choice = output_choice::random;  ///< of several outputs that the routing allows
  unsigned buffers = 0;                          ///< 0: any number
  buffer_rule rule = buffer_rule::hops;          ///< which buffers a message may take, with a bound
  queue_order order = queue_order::fewest_hops;  ///< of a queue, where buffers have classes
  grant_order grants = grant_order::random;      ///< of buffers, with a bound
  /// Combinable messages are joined in the queues of links between nodes, and replies to them go back the way
  /// that they came; none: nothing is combined.
  std::optional<combining_config> combining;
  std::vector<std::uint16_t> hops;  ///< links between nodes to each terminal; for the rules that count them

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// A node of a store-and-forward network of messages, as queueing models have it (Dandamudi and Eager,
/// section 2): a FIFO queue for each outgoing link, which transmits one message at a time in a time that its
/// length and the link's rate give. A message is one flit.
///
/// A flit crosses the packet link when its transmission begins; it bears its length, so for T cycles
/// the sender keeps link and buffer busy, and then the receiver has the message. What the pins cost is part
/// of T: a hop on an idle link takes exactly T cycles from being queued to being queued at the next node.
/// With any number of buffers `ready` is always set, and T is 1 or more. With a bound `valid` is a request,
/// of which the node grants as many as it has buffers for by setting `ready`; request and grant take two
/// cycles, and T is 2 or more (a request that has waited is granted in one, so that its hop takes T - 1).
///
/// With classes of buffers the lane of a flit is the number of hops that its message has to go from the node
/// it is offered to, and a grant is for that lane. A queue offers its first message, and when that is refused
/// the one with the fewest hops to go, which may use every buffer that another could: so no message waits for
/// a buffer behind one that needs a lower class, and the classes keep the network free of deadlock although
/// the queues are FIFOs (queue_order::fifo: it offers the first until that is granted). While a refused
/// message has still to be shown (PL1), `valid` stays set during the transmission of another.
///
/// With combining a request bears the way that it comes (return_way: the interface's word is the nodes'
/// then), and the reply goes it in reverse. It is split where its request was joined by others, and the
/// replies for those wait with the records of the wait buffer until there are buffers for them, for which
/// they compete as a neighbour does.
///
/// From the host a message is taken at once, or when it is granted a buffer; at its destination it leaves for
/// the host, a message a cycle.
class message_node final : public switch_block {
public:
  /// `node`: the number that `routes` knows this node by. Throws as message_node_config::check().
  message_node(const sc_core::sc_module_name& name, message_node_config config, unsigned node,
               std::shared_ptr<const routing> routes, std::uint64_t seed);

  /// A message that is being transmitted counts where it goes to.
  unsigned level() const override { return held_ + waiting_.records(); }
  /// Buffers and records; without a bound as many as it has ever held.
  unsigned capacity() const override {
    return (buffers_ ? buffers_->size() : most_held_) + std::max(waiting_.limit(), waiting_.most_records());
  }
  hardware_size storage() const override;
  /// `node.busiest_link`, `.busiest_cluster_link`, `.busiest_other_link`: share of all cycles in which the
  /// link that transmitted most did so; `node.most_held`: messages in one node; `node.reordered`: those that
  /// were sent before one that stood in front of them, after that one was refused.
  /// With combining also what wait_buffer counts.
  void count(counters& all) const override;
  void observe(endpoint_observer& observer) override { observer_ = &observer; }
  /// With combining, of its wait buffer.
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;

private:
  struct held {
    flit message;
    unsigned buffer = class_buffers::none;
    unsigned messages = 1;  // that the queue has made one
  };
  struct sender {
    explicit sender(const combining_config& config) : waiting(config) {}
    combining_queue<held> waiting;
    bool showing = false;
    std::size_t shown = 0;    // which of those that wait
    std::uint64_t since = 0;  // when the first was offered
    bool asked = false;       // the first has been offered since the link became free
    lane_mask refused = 0;    // lanes shown and not accepted yet
    std::optional<held> under_way;
    std::uint64_t done_at = 0;
    std::uint64_t busy = 0;  // cycles
  };
  struct receiver {
    bool open = false;  // `ready` shows `lane`
    std::uint8_t lane = 0;
    bool taken = false;  // what `valid` shows has crossed at this edge: it is no request
    unsigned buffer = class_buffers::none;
    std::deque<held> coming;  // one, but for senders that do not keep to the times
    std::deque<std::uint64_t> done_at;
  };

  void reset() override;
  void tick() override;
  void send();
  void receive();
  void finish();
  void grant();
  void listen();
  void show();
  void arrive(held arrived, unsigned input);
  void put(held message, unsigned output);
  void note_way(flit& f, unsigned input) const;
  void turn_back(held arrived, unsigned input);
  unsigned way_back(flit& reply, unsigned input) const;
  bool join(const held& arrived, unsigned input, unsigned output);
  bool join_under_way(sender& s, const flit& f) const;
  void place_branch(unsigned buffer);
  unsigned hops_to(const flit& f) const { return config_.hops.empty() ? 0 : config_.hops[f.destination]; }
  sender empty_sender() const { return sender(config_.combining.value_or(combining_config{})); }
  unsigned choose(port_mask usable);
  void free(unsigned buffer);
  bool request(unsigned input, unsigned& buffer) const;
  void open(unsigned input, unsigned buffer);
  std::size_t offer(unsigned output) const;
  std::size_t first_of_lane(const sender& s, unsigned lane) const;
  std::size_t fewest_hops(const sender& s) const;
  bool classes() const { return !config_.hops.empty(); }
  std::uint8_t lane_of(unsigned output, const flit& f) const;
  std::uint64_t end_of(const flit& f, const message_port& port);
  std::uint64_t below(std::uint64_t n) { return part_of(draw(seed_, node_, draws_++) >> 16, 48, n); }
  unsigned pins() const { return buffers_ ? 2 : 1; }

  std::uint64_t busy_cycles(const sender& s) const;

  const message_node_config config_;
  const unsigned node_;
  const std::shared_ptr<const routing> routes_;
  const std::uint64_t seed_;
  std::optional<class_buffers> buffers_;
  std::vector<sender> senders_;
  std::vector<receiver> receivers_;
  const return_way way_;
  wait_buffer waiting_;
  std::deque<reply_branch> branches_;  // of split replies, which have no place in a queue yet
  endpoint_observer* observer_ = nullptr;
  combining_observer* checker_ = nullptr;
  std::uint64_t draws_ = 0;
  unsigned held_ = 0, most_held_ = 0;
  std::uint64_t reordered_ = 0;
};

}  // namespace spillway
