#pragma once
#include <memory>
#include <spillway/hw/packet/fifo_queue.hpp>
#include <spillway/platforms/elaborate/switch_entry.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace spillway {

/// Of a head in a network of such ports, whose switches take a cycle.
inline zero_load latency_behind_gates() {
  zero_load z;
  z.fixed = 3;  // a cycle to the gate, one through it, and one through the queue of the arrivals
  z.per_switch = 1;
  return z;
}

/// Between the packet links of an interface and those of the network: what is sent waits in a gate, what
/// comes passes a queue. `Links`: the kind of the network's links.
template <class Gate, class Links>
class gate_port final : public interface_stage {
public:
  /// `make`: makes the gate of this name.
  template <class Make>
  gate_port(const port_context& c, Make&& make) {
    for (unsigned n = 0; n < c.networks; ++n) {
      const std::string number = std::to_string(n) + "_" + std::to_string(c.terminal);
      gates_.push_back(make("gate_" + number));
      arrivals_.push_back(std::make_unique<fifo_queue>(("gate_arrivals_" + number).c_str(), 2));
    }
  }

  void connect_sent(unsigned network, packet_link& l) override {
    if constexpr (is_switch)
      gates_[network]->connect_input(0, l);
    else
      l.connect(gates_[network]->in);
  }
  void connect_arrived(unsigned network, packet_link& l) override { l.connect(arrivals_[network]->out); }
  void connect_output(unsigned network, network_link& l) override {
    if constexpr (is_switch)
      gates_[network]->connect_output(0, l);
    else
      link_cast<Links>(l).connect(gates_[network]->out);
  }
  void connect_input(unsigned network, network_link& l) override {
    link_cast<Links>(l).connect(arrivals_[network]->in);
  }
  std::vector<clocked*> blocks() override {
    std::vector<clocked*> all;
    for (const auto& gate : gates_) all.push_back(gate.get());
    for (const auto& queue : arrivals_) all.push_back(queue.get());
    return all;
  }
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override {
    std::vector<std::unique_ptr<clocked>> all;
    if constexpr (is_switch)
      for (const auto& gate : gates_)
        for (auto& checker : gate->make_checkers(handler)) all.push_back(std::move(checker));
    return all;
  }
  void count(counters& all) const override {
    if constexpr (is_switch)
      for (const auto& gate : gates_) gate->count(all);
  }
  std::uint64_t held_flits() const override {
    return sum([](const auto& block) { return std::uint64_t{block.level()}; });
  }
  std::uint64_t lost_in_reset() const override {
    return sum([](const auto& block) { return block.lost_in_reset(); });
  }

private:
  static constexpr bool is_switch = std::is_base_of_v<network_block, Gate>;

  template <class F>
  std::uint64_t sum(F&& of) const {
    std::uint64_t all = 0;
    for (const auto& gate : gates_) all += of(*gate);
    for (const auto& queue : arrivals_) all += of(*queue);
    return all;
  }

  std::vector<std::unique_ptr<Gate>> gates_;  // by network
  std::vector<std::unique_ptr<fifo_queue>> arrivals_;
};

}  // namespace spillway
