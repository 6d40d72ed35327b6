#include <spillway/tlm/message_network.hpp>

namespace spillway {

class message_network::access final : public message_carrier {
public:
  access(message_network& network, unsigned terminal) : network_(network), terminal_(terminal) {}
  void send(const tlm_message& message, const sc_core::sc_time& from) override {
    network_.send(message, from);
  }
  void room_opened() override { network_.deliver(terminal_); }

private:
  message_network& network_;
  const unsigned terminal_;
};

/// Its tick has nothing to do, so it sleeps.
class message_network::reset_watch final : public single_threaded {
public:
  explicit reset_watch(message_network& network) : single_threaded("reset_watch"), network_(network) {}

private:
  void reset() override { network_.reset(); }
  void tick() override {}

  message_network& network_;
};

message_network::message_network(const sc_core::sc_module_name& name, unsigned terminals)
    : sc_module(name), reset_watch_(std::make_unique<reset_watch>(*this)), receivers_(terminals) {
  for (unsigned t = 0; t < terminals; ++t) accesses_.push_back(std::make_unique<access>(*this, t));
}

message_network::~message_network() = default;

message_carrier& message_network::carrier(unsigned terminal) { return *accesses_.at(terminal); }

void message_network::deliver_to(unsigned terminal, message_receiver& receiver) {
  receivers_.at(terminal) = &receiver;
}

clocked& message_network::reset_input() { return *reset_watch_; }

void message_network::reset() {
  clear();
  for (message_receiver* const r : receivers_) r->network_reset();
}

}  // namespace spillway
