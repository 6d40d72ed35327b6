#pragma once
#include <deque>
#include <memory>
#include <spillway/hw/dampening/dampening_pool.hpp>
#include <spillway/hw/dampening/embargo_link.hpp>
#include <spillway/hw/dampening/embargo_sender.hpp>
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
  unsigned inputs = 2, outputs = 2;  ///< 1 to 64 each
  flow_control flow = flow_control::sender_calculates;
  bool pool_per_input = true;  ///< else one pool a switch, which needs receiver_calculates
  unsigned link_latency = 1;   ///< cycles each way, at least 1; its register stages are at the receiving end
  /// Emergency buffers a pool: 0: as many as ordinary ones.
  unsigned emergency = 0;
  /// More of them for messages under way when an interdiction is decided, at least 2 link_latency an input of
  /// the pool. 0: 2 link_latency + 1 an input.
  unsigned extra = 0;

  unsigned pools() const { return pool_per_input ? inputs : 1; }
  unsigned inputs_a_pool() const { return pool_per_input ? 1 : inputs; }
  /// Messages that may still come after an interdiction is decided.
  unsigned reserve() const { return 2 * link_latency * inputs_a_pool(); }
  unsigned slots(unsigned buffers) const;
  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// Switch for single-flit messages whose buffers are given by an assignment: a dampening switch, a counting
/// switch or a switch with an unrestricted pool (Kuszmaul and Kuszmaul, sections I to VIII).
///
/// A message takes one cycle from input to output where nothing is in its way, and then no buffer where the
/// receiver calculates. An output serves the destinations in turn; it shows a message only when the link
/// takes it, so the message's buffer is free again at that edge.
class dampening_switch : public network_block {
public:
  row<embargo_in> in;    ///< in<i>
  row<embargo_out> out;  ///< out<o>

  /// `node`: the number that `routes` and `plan` know this switch by. `neighbours[o]`: what output o leads
  /// to.
  dampening_switch(const sc_core::sc_module_name& name, const dampening_switch_config& config, unsigned node,
                   std::shared_ptr<const routing> routes, const std::vector<link_end>& neighbours,
                   const std::shared_ptr<const assignment_plan>& plan);

  void connect_input(unsigned port, network_link& l) override {
    link_cast<embargo_link>(l).connect(in[port]);
  }
  void connect_output(unsigned port, network_link& l) override {
    link_cast<embargo_link>(l).connect(out[port]);
  }

  /// The spill and refill links of its banks.
  std::vector<network_link*> links() override;
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;

  unsigned level() const override;
  unsigned capacity() const override { return capacity_; }
  void count(counters& all) const override;
  /// The pools where the receiver calculates, for testbenches.
  const std::vector<std::unique_ptr<dampening_pool>>& pools() const { return pools_; }

private:
  /// The links between a pool and its bank, by port.
  struct bank_links {
    unsigned slots;
    std::vector<std::unique_ptr<spill_link>> spill;
    std::vector<std::unique_ptr<refill_link>> refill;
  };

  struct input_state {
    std::deque<std::pair<std::uint64_t, flit>> coming;  // when it is here; only on links of latency > 1
    bool by_source = false;                             // keys of its pool
    std::deque<message_key> reports;                    // where the sender calculates
  };
  struct output_state {
    std::unique_ptr<embargo_sender> sender;
    flit showing;
    message_store::id fetching = message_store::none;  // on its way from the bank to this output
    round_robin_arbiter arbiter;                       // of messages that pass through
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

  void reset() override;
  void tick() override;
  void make_bank(unsigned pool, std::unique_ptr<assignment> rule);
  bool hear();
  bool finish();
  void land(message_store::id id);
  bool send_stored();
  bool receive();
  void admit(std::uint64_t arrivals);
  void pass_through(std::uint64_t& arrivals);
  bool usable(message_store::id id);
  void send(message_store::id id);
  void show(unsigned o, const flit& f);
  void left(const message& m);
  bool answer_all();
  answer next_answer(unsigned pool);
  bool send_back(unsigned pool, const answer& a);
  void show_back(unsigned pool, const answer& a);
  void drive();
  message_key key_at(unsigned input, const flit& f) const {
    return inputs_[input].by_source ? f.source : f.destination;
  }
  bool sender_calculates() const { return config_.flow == flow_control::sender_calculates; }

  const dampening_switch_config config_;
  const unsigned node_;
  const std::shared_ptr<const routing> routes_;
  unsigned capacity_ = 0;
  message_store store_;
  std::vector<input_state> inputs_;
  std::vector<output_state> outputs_;
  std::vector<flit> arrived_;    // by input, in this cycle
  std::vector<back_path> back_;  // by pool
  std::vector<std::unique_ptr<dampening_pool>> pools_;
  std::vector<std::unique_ptr<emergency_bank>> banks_;
  std::vector<bank_links> links_;  // by pool
  bool open_ = false;              // what the ready pins of the inputs show

  std::uint64_t messages_ = 0, passed_ = 0, fetched_ = 0, overflows_ = 0;
  std::uint64_t embargoes_ = 0, releases_ = 0, reports_ = 0, interdictions_ = 0, most_in_banks_ = 0;
};

}  // namespace spillway
