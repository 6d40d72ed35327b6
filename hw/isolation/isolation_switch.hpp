#pragma once
#include <array>
#include <memory>
#include <spillway/hw/isolation/isolation_link.hpp>
#include <spillway/hw/isolation/output_map.hpp>
#include <spillway/hw/isolation/roots.hpp>
#include <spillway/hw/packet/flit_store.hpp>
#include <spillway/hw/switching/arbiter.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <vector>

namespace spillway {

/// Size and thresholds of an isolation_switch.
struct isolation_switch_config {
  unsigned inputs = 2;       ///< 1 to 64
  unsigned outputs = 2;      ///< 1 to 64
  unsigned depth = 4;        ///< flits of the queue that all packets pass
  unsigned queues = 8;       ///< set-aside queues of an input, 0 to 63
  unsigned queue_depth = 8;  ///< flits of a set-aside queue
  unsigned stop = 4;         ///< with so many flits in it the senders of its tree are stopped ...
  unsigned go = 2;           ///< ... and may go on with so many, fewer than `stop`
  unsigned threshold =
      4;  ///< flits that wait for an output which takes them make it a root; 0: it finds none
  unsigned packet_length = 1;  ///< flits of the longest packet; every queue must hold one
  bool at_terminal = false;    ///< a terminal's gate: its input is a packet link, it hears of no upstream
  bool marked = false;         ///< what waits for its outputs is shown, and its heads get marks

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// Switch that isolates congestion (FBICM's way; docs/isolation.md has the sources and what is our reading):
/// at every input one queue that all packets pass, and some set-aside queues. An output for which too much
/// waits is the root of a congestion tree. The packet at the head of the first queue whose route goes on
/// through a root that is here, or that the next switch has told of, is set aside, so that those behind it
/// pass. A set-aside queue that fills stops the packets of its tree at the sender, which sets them aside in
/// turn. An empty one is given up when the sender holds none of its tree any more: its token is back.
///
/// A flit takes one cycle, set aside on the way or not. What is set aside for a root farther on does not wait
/// for the output in the eyes of what marks there.
class isolation_switch : public network_block {
public:
  row<packet_in> in;       ///< in0, in1, ...
  row<tree_in> in_tree;    ///< in0, ..., the rest of the same links; none at a terminal
  row<packet_out> out;     ///< out0, out1, ...
  row<tree_out> out_tree;  ///< out0, ..., the rest of the same links

  /// `node`: the number that `routes` and `map` know this switch by. `neighbours[o]`: what output o leads to.
  /// Throws as isolation_switch_config::check().
  isolation_switch(const sc_core::sc_module_name& name, const isolation_switch_config& config, unsigned node,
                   std::shared_ptr<const routing> routes, std::shared_ptr<const output_map> map,
                   std::vector<link_end> neighbours);

  /// Binds to links of kind isolation; at a terminal the input to a packet link.
  void connect_input(unsigned port, network_link& l) override;
  void connect_output(unsigned port, network_link& l) override;
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;

  unsigned level() const override { return store_.used(); }
  unsigned capacity() const override { return store_.slots(); }
  hardware_size storage() const override;
  double fullest() const override;
  void count(counters& all) const override;
  /// Set-aside queues in use at an input.
  unsigned set_aside(unsigned input) const;
  /// Whether output `o` is a root now.
  bool root(unsigned o) const { return rooted_ >> o & 1; }

private:
  static constexpr std::uint16_t none = 0xffff;

  struct queue_state {
    std::uint16_t free = 0;  // places not promised to a packet
    bool sending = false;    // an output has chosen its packet
  };
  struct aside {             // a set-aside queue
    std::uint32_t root = 0;  // of its tree
    std::uint8_t output = 0;
    bool used = false;
  };
  struct input_state {
    std::uint16_t to_come = 0;  // flits of the packet under way still to come
    std::uint8_t output = 0;    // where it goes
    std::uint8_t moving = 0;    // set-aside queue that takes the packet at the head of the first; 0: none
    bool held = false;          // that packet may not be sent: it has yet to be set aside, or looked at
    bool refused = false;       // no queue was free for it
    bool open = false;          // what the ready pin shows
  };
  struct output_state {
    std::uint16_t queue = none;   // whose packet it sends
    std::uint16_t waiting = 0;    // flits for it in first queues
    std::uint16_t set_aside = 0;  // flits for it set aside, as it is a root
    bool shows = false;           // its valid pin is high
    two_level_set candidates;
    basic_round_robin_arbiter<two_level_set> arbiter;
  };
  struct totals {
    std::uint64_t roots = 0, queues = 0, flits = 0, refused = 0;
  };

  void reset() override;
  void tick() override;
  void clear();
  void hear();
  bool send();
  bool receive();
  bool sort();
  bool sort(unsigned input);
  unsigned place_for(unsigned input, const flit& head, unsigned output);
  unsigned allocate(unsigned input, unsigned output, std::uint32_t root);
  void wait_for_older(unsigned input, unsigned k);
  void move(unsigned input, unsigned k);
  bool find_roots();
  void choose();
  bool may_go(unsigned input, unsigned k, unsigned output) const;
  bool stopped(unsigned output, const flit& head) const;
  bool show();
  void show_waiting();
  bool give_up();
  bool tell();
  bool offer();
  void count_waiting(unsigned queue, unsigned output, int flits);

  unsigned number(unsigned input, unsigned k) const { return input * (config_.queues + 1) + k; }
  aside& aside_of(unsigned input, unsigned k) { return asides_[number(input, k)]; }
  const aside& aside_of(unsigned input, unsigned k) const { return asides_[number(input, k)]; }
  std::uint16_t& older(unsigned input, unsigned k, unsigned than) {
    return older_[number(input, k) * (config_.queues + 1) + than];
  }
  std::uint32_t own_root(unsigned output) const {
    return config_.at_terminal ? ~std::uint32_t{0} : map_->number(node_, output);
  }

  const isolation_switch_config config_;
  const unsigned node_;
  const std::shared_ptr<const routing> routes_;
  const std::shared_ptr<const output_map> map_;
  const std::vector<link_end> neighbours_;
  std::vector<network_link*> links_in_, links_out_;
  port_mask rooted_ = 0;  // outputs that are roots
  totals counted_;
  std::vector<heard_roots> stopped_;   // by output: what the next switch does not take
  std::vector<told_roots> stops_;      // by input: what this one does not take
  std::vector<heard_roots> branches_;  // by input: of what its sender has set aside
  std::vector<told_roots> tokens_;     // by output: of what this one has set aside
  state_memory memory_;
  state_array<queue_state> queues_;   // by input and queue; 0 is the first, which all pass
  state_array<aside> asides_;         // likewise
  state_array<std::uint16_t> older_;  // by set-aside queue and another: flits of that one that go before
  state_array<input_state> inputs_;
  std::vector<output_state> outputs_;
  flit_store store_;
};

}  // namespace spillway
