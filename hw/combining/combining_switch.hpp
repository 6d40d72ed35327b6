#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <spillway/hw/combining/combining_queue.hpp>
#include <spillway/hw/combining/wait_buffer.hpp>
#include <spillway/hw/combining/wait_buffer_checker.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/switching/arbiter.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/hw/switching/switch_block.hpp>
#include <unordered_map>
#include <vector>

namespace spillway {

/// Size of a combining_switch, and what it combines.
struct combining_switch_config {
  unsigned inputs = 2;         ///< of the request network, 1 to 64
  unsigned outputs = 2;        ///< of the request network, 1 to 64
  unsigned depth = 4;          ///< messages a queue of requests, at least 1
  unsigned return_depth = 4;   ///< messages a queue of replies, at least 1
  combining_config combining;  ///< what joins what

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// A combining switch (Pfister and Norton, 1985; NYU Ultracomputer): a switch of the request network and the
/// switch of the reply network at the same place as one block, with the wait buffer between them. Messages
/// have one flit, and take one cycle from input to output where nothing is in their way.
///
/// A request waits in a register of its input, where it may join a request in the queue of its output, or
/// gets a place there; so it may also join a queue that is full. With a full wait buffer nothing is combined.
/// A reply goes back by the port by which its request came, which is noted here for each request that has
/// passed: right for any topology, while hardware has no need to where it follows from the requester's
/// address, as in an omega network. In the register of its input it is split: one reply to each merged
/// request, which get places in the queues of their ports one after the other. A reply to a request that has
/// not passed is a std::logic_error.
class combining_switch final : public network_block {
public:
  row<packet_in> in;           ///< in0, ...: requests
  row<packet_out> out;         ///< out0, out1, ...
  row<packet_in> return_in;    ///< return_in0, ...: replies, each from where that out leads to
  row<packet_out> return_out;  ///< return_out0, ...: to where in0, ... come from

  /// `node`: the number that `routes` knows this switch by. Throws as combining_switch_config::check().
  combining_switch(const sc_core::sc_module_name& name, const combining_switch_config& config, unsigned node,
                   std::shared_ptr<const routing> routes);

  /// Ports past those of the request network are those of the reply network.
  void connect_input(unsigned port, network_link& l) override;
  void connect_output(unsigned port, network_link& l) override;
  void observe(endpoint_observer& observer) override { observer_ = &observer; }
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override;

  /// Messages held, those in the wait buffer included.
  unsigned level() const override;
  unsigned capacity() const override;
  hardware_size storage() const override;
  /// What wait_buffer counts.
  void count(counters& all) const override { waiting_.count(all); }

private:
  unsigned queued() const;  // that its queues and output registers hold at most
  struct waiting_message {
    flit message;
    unsigned messages = 1;
  };
  /// A queue with its output pins; one entry leaves when the far side takes it.
  struct request_port {
    combining_queue<waiting_message> queue;
    bool showing = false;
    round_robin_arbiter arbiter;
  };
  struct reply_port {
    std::deque<waiting_message> queue;
    bool showing = false;
    round_robin_arbiter arbiter;
  };
  struct request_register {
    std::optional<flit> request;
    unsigned output = 0;
    bool ready = false;    // what the pin shows
    bool refused = false;  // has been counted
  };
  struct reply_register {
    std::deque<reply_branch> branches;
    bool ready = false;
  };

  void reset() override;
  void tick() override;
  void receive();
  void turn_back(const flit& reply, std::deque<reply_branch>& branches);
  void place_requests();
  bool join(request_register& from, unsigned input);
  void place_replies();
  bool place_reply(unsigned port);
  bool show();

  const combining_switch_config config_;
  const unsigned node_;
  const std::shared_ptr<const routing> routes_;
  endpoint_observer* observer_ = nullptr;
  combining_observer* checker_ = nullptr;
  std::vector<request_port> requests_;      // by output
  std::vector<reply_port> replies_;         // by input
  std::vector<request_register> arrivals_;  // by input
  std::vector<reply_register> returned_;    // by output
  wait_buffer waiting_;
  std::unordered_map<std::uint64_t, unsigned> came_by_;  // port of each request that has passed, by its key
};

}  // namespace spillway
