#pragma once
#include <deque>
#include <memory>
#include <spillway/hw/dampening/dampening_pool.hpp>
#include <spillway/hw/dampening/embargo_link.hpp>
#include <spillway/hw/dampening/embargo_sender.hpp>
#include <spillway/hw/dampening/pool_observer.hpp>
#include <spillway/hw/dampening/pool_places.hpp>
#include <spillway/hw/switching/arbiter.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <vector>

namespace spillway {

/// Who decides which buffer downstream a message gets (Kuszmaul and Kuszmaul, section VIII).
enum class flow_control {
  sender_calculates,  ///< a pool an input; the sender keeps its image, and hears of every message that leaves
  receiver_calculates,  ///< embargoes, with a bank of emergency buffers
};

/// Size of a dampening_switch, and who keeps account of its pools.
struct dampening_switch_config {
  unsigned inputs = 2;                                  ///< 1 to 64
  unsigned outputs = 2;                                 ///< 1 to 64
  flow_control flow = flow_control::sender_calculates;  ///< who gives messages their buffers
  bool pool_per_input = true;  ///< else one pool a switch, which needs receiver_calculates
  unsigned link_latency = 1;   ///< cycles each way, 1 to 65535; its register stages are at the receiving end
  /// Emergency buffers a pool: 0: as many as ordinary ones.
  unsigned emergency = 0;
  /// More of them for messages under way when an interdiction is decided, at least 2 link_latency an input of
  /// the pool. 0: 2 link_latency + 1 an input.
  unsigned extra = 0;

  unsigned pools() const { return pool_per_input ? inputs : 1; }          ///< one an input, or one
  unsigned inputs_a_pool() const { return pool_per_input ? 1 : inputs; }  ///< that share a pool
  /// Messages that may still come after an interdiction is decided.
  unsigned reserve() const { return 2 * link_latency * inputs_a_pool(); }
  /// Places of a pool's emergency bank, for a pool of so many buffers.
  unsigned slots(unsigned buffers) const;
  /// Inputs of the widest switch of the network; 0: as many as this one has.
  unsigned widest = 0;
  /// Processors that a pool with that rule, of any switch of the network, may have embargoed at a time.
  std::size_t embargoes(const assignment& rule) const;
  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// Switch for single-flit messages whose buffers are given by an assignment: a dampening switch, a counting
/// switch or a switch with an unrestricted pool (Kuszmaul and Kuszmaul, sections I to VIII). It is the pool
/// itself: its links are the pool's, whose places are written and read by number. Where the sender
/// calculates, it names the place; where the receiver does, the emergency banks stand beside the switch, one
/// a pool, at the ends of the spill and refill links (banked_switch has them).
///
/// A message takes one cycle from input to output where nothing is in its way, and then no place where the
/// receiver calculates. An output serves the destinations in turn; it shows a message only when the link
/// takes it, so the message's place is free again at that edge.
///
/// A message that comes to a place that is occupied or does not exist, and one for which pool and bank have
/// no place, are an SC_REPORT_ERROR.
class dampening_switch : public network_block {
public:
  row<embargo_in> in;    ///< in0, in1, ...
  row<embargo_out> out;  ///< out0, out1, ...
  /// spill0, ... and refill0, ..., as many as inputs where the receiver calculates, else none. A pool with
  /// several inputs has the links of them all; what came in at input i leaves for the bank on spill i.
  row<spill_out> spill;
  /// The same for what comes back from the bank.
  row<refill_in> refill;

  /// `node`: the number that `routes` and `plan` know this switch by. `neighbours[o]`: what output o leads
  /// to. `memory`: what lies behind the pool's places, nullptr: a memory of its own. Throws as
  /// dampening_switch_config::check(), and std::invalid_argument unless there is a neighbour an output.
  dampening_switch(const sc_core::sc_module_name& name, const dampening_switch_config& config, unsigned node,
                   std::shared_ptr<const routing> routes, const std::vector<link_end>& neighbours,
                   const std::shared_ptr<const assignment_plan>& plan,
                   std::unique_ptr<flit_memory> memory = nullptr);

  void connect_input(unsigned port, network_link& l) override {
    auto& pins = in.at(port);
    links_in_[port] = &link_cast<embargo_link>(l);
    links_in_[port]->connect(pins);
  }
  void connect_output(unsigned port, network_link& l) override {
    link_cast<embargo_link>(l).connect(out.at(port));
  }

  /// The checker of its pools, which must outlive their last cycle; those links are watched that
  /// connect_input() has bound.
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;

  unsigned level() const override;
  unsigned stored() const override;
  unsigned capacity() const override;
  hardware_size storage() const override;
  void count(counters& all) const override;
  /// The pool, for testbenches: a partition an input port, or one.
  const pool_places& places() const { return places_; }
  /// Places of the bank of each pool.
  unsigned slots(unsigned pool) const { return shape_.slots[pool]; }

private:
  struct pool_shape {
    std::vector<unsigned> buffers, slots;  // by pool: its places, and those of its bank
  };
  struct arrival {
    flit data;
    std::uint16_t place = embargo_sender::no_place;  // where the sender calculates
  };
  struct report {
    message_key key = 0;
    std::uint16_t place = 0;
  };
  struct input_state {
    std::deque<std::pair<std::uint64_t, arrival>> coming;  // when it is here; only on links of latency > 1
    bool by_source = false;                                // keys of its pool
    std::uint16_t first_report = 0, reports = 0;           // not made yet, in a ring of as many as places
  };
  struct output_state {
    std::unique_ptr<embargo_sender> sender;
    flit showing;
    message_table::id fetching = message_table::none;  // on its way from the bank to this output
    round_robin_arbiter arbiter;                       // of messages that pass through
    std::uint16_t place = embargo_sender::no_place;    // downstream, of the message that is shown
    bool by_source = false;                            // keys of the pool downstream
    bool valid = false, ready = false, interdicted = false;
    bool free() const { return !valid && ready; }
  };
  /// What goes back to the senders of a pool.
  struct answer {
    control_message control;
    bool interdict = false;
    bool operator!=(const answer& other) const {
      return control != other.control || interdict != other.interdict;
    }
  };
  struct back_path {
    answer last;                                          // given
    std::deque<std::pair<std::uint64_t, answer>> coming;  // when it is there; only on links of latency > 1
  };

  static pool_shape shape_of(const dampening_switch_config& config, unsigned node,
                             const assignment_plan& plan);
  void make_sender(unsigned o, const link_end& next, const assignment_plan& plan);
  void reset() override;
  void tick() override;
  bool receive_controls();
  bool finish();
  void take_refill(message_table::id id, const flit& f);
  bool send_stored();
  bool receive();
  void admit(std::uint64_t arrivals);
  void pass_through(std::uint64_t& arrivals);
  void keep(unsigned i);
  bool usable(message_table::id id);
  void send(message_table::id id, const flit& f);
  /// Who looks on at a pool, and will be told of this cycle.
  pool_observer* watch(unsigned pool) {
    if (announced_to_) watched_ |= std::uint64_t{1} << pool;
    return observer_;
  }
  void put(const message& m, const flit& f) {
    if (pool_observer* const o = watch(m.partition)) o->stored(m.partition, m.buffer, f);
    places_.write(m.partition, m.buffer, f);
  }
  void release(const message& m);
  void show(unsigned o, const flit& f, std::uint16_t place);
  void to_report(unsigned input, const report& r);
  bool answer_all();
  answer next_answer(unsigned pool);
  bool send_back(unsigned pool, const answer& a);
  void show_back(unsigned pool, const answer& a);
  void drive();
  static message_key key_of(const flit& f, bool by_source) { return by_source ? f.source : f.destination; }
  bool sender_calculates() const { return config_.flow == flow_control::sender_calculates; }
  unsigned pool_of(unsigned input) const { return config_.pool_per_input ? input : 0; }

  const dampening_switch_config config_;
  const unsigned node_;
  const std::shared_ptr<const routing> routes_;
  const pool_shape shape_;
  state_memory memory_;
  pool_places places_;
  message_table messages_;
  state_array<report> reports_;  // a ring of each input, where the sender calculates
  std::vector<input_state> inputs_;
  std::vector<output_state> outputs_;
  std::vector<arrival> arrived_;  // by input, in this cycle
  std::vector<back_path> back_;   // by pool
  std::vector<std::unique_ptr<dampening_pool>> pools_;
  const std::shared_ptr<const assignment_plan> plan_;
  std::vector<embargo_link*> links_in_;  // for who watches them
  pool_observer* observer_ = nullptr;
  pool_observer* announced_to_ = nullptr;  // the same where the receiver calculates
  std::uint64_t watched_ = 0;              // pools of which the observer has heard in this cycle
  bool open_ = false;                      // what the ready pins of the inputs show

  std::uint64_t taken_ = 0, passed_ = 0, fetched_ = 0;
  std::uint64_t embargoes_ = 0, releases_ = 0, reported_ = 0, interdictions_ = 0, most_in_banks_ = 0;
};

}  // namespace spillway
