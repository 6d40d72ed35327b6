#pragma once
#include <array>
#include <memory>
#include <spillway/hw/circuit/circuit_decision.hpp>
#include <spillway/hw/circuit/circuit_link.hpp>
#include <spillway/hw/switching/switch_block.hpp>

namespace spillway {

/// Place of a circuit_router in its tree, and what it draws from.
struct circuit_router_config {
  unsigned node = 0;                       ///< number of the router, for the routing and its random stream
  unsigned level = 0;                      ///< for its counters
  std::uint64_t seed = 1;                  ///< of the run
  contention winner = contention::random;  ///< of messages for one port down
};

/// Router of a circuit-switched fat tree (Strumpen and Krishnamurthy, sections 3 and 7): ports a and b down,
/// c and d up, each a link in either direction, numbered 0 to 3. A message reserves an output at the edge at
/// which its head is seen and is shown there at the next one, so that it takes two cycles a router; answers
/// take one. Releases come before reservations of the same cycle. A rejected message is answered by
/// `collision` at the edge that rejects it.
///
/// The router stores no message, just two flits an output on their way; what a reset wipes out is still in
/// the interface that sent it.
class circuit_router : public network_block {
public:
  row<circuit_in> in{4, "in"};     ///< in0 to in3: from a, b, c and d
  row<circuit_out> out{4, "out"};  ///< out0 to out3: to a, b, c and d

  /// `routes`: says of each head which of the ports 0 to 3 it may take; it knows the router by `config.node`.
  circuit_router(const sc_core::sc_module_name& name, const circuit_router_config& config,
                 std::shared_ptr<const routing> routes);

  void connect_input(unsigned port, network_link& l) override {
    link_cast<circuit_link>(l).connect(in.at(port));
  }
  void connect_output(unsigned port, network_link& l) override {
    link_cast<circuit_link>(l).connect(out.at(port));
  }
  /// No flit is anywhere only in the router.
  unsigned level() const override { return 0; }
  unsigned capacity() const override { return 0; }
  /// Of an output a flit on its way, who holds it and how many have passed; of an input its state.
  hardware_size storage() const override {
    return {outputs_.size(), 0, outputs_.size() * (1u + bits_to(inputs_.size()) + 16u) + inputs_.size() * 3u};
  }
  /// `circuit.collisions` of the network, `circuit.collisions_level_<l>`, and `circuit.collisions_up`, which
  /// the shape of the tree makes impossible.
  void count(counters& all) const override;

private:
  static constexpr std::uint8_t none = circuit_grants::none;
  enum class state : std::uint8_t {
    idle,
    open,     // holds an output
    closing,  // answered; the sender's request is still to fall
  };
  struct reservation {
    flit staged;              // seen at the last edge, shown at the next
    std::uint16_t taken = 0;  // flits of the message so far
    std::uint8_t holder = none;
    bool full = false;  // `staged` is to be shown
  };

  void reset() override;
  void tick() override;
  void pass_answers();
  bool pass_data();
  bool reserve();
  void answer(unsigned input, bool acknowledged);
  void release(unsigned port);
  wish wish_of(unsigned input) const;

  const circuit_router_config config_;
  const std::shared_ptr<const routing> routes_;
  std::array<reservation, 4> outputs_;
  std::array<state, 4> inputs_{};
  std::uint8_t answering_ = 0;  // bit i: in[i] shows an answer
  std::uint64_t collisions_ = 0, collisions_up_ = 0;
};

}  // namespace spillway
