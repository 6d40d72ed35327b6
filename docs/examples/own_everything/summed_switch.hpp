// A switch of our own, with a kind of link of our own: a packet link that shows beside its pins the sum of
// all flits that have crossed it, and whose checker sums them too.
#pragma once
#include <cstdint>
#include <spillway/hw/links/packet_checker.hpp>
#include <spillway/hw/packet/buffer_pool.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/switch_entry.hpp>
#include <string>
#include <utility>

namespace own {

inline std::uint16_t sum_of(std::uint16_t before, const spillway::flit& f) {
  const std::uint64_t word = f.payload ^ f.destination;
  return static_cast<std::uint16_t>(31 * before + (word ^ word >> 16 ^ word >> 32 ^ word >> 48));
}

/// What the link has beside valid (a bool), data (a flit) and ready (a mask of lanes).
template <class As>
struct sum_pins {
  explicit sum_pins(const typename As::names& of) : sum(of["sum"]) {}
  spillway::forward_pin<As, std::uint16_t> sum;

  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    f(b.sum...);
  }
};
using sum_out = spillway::bundle<sum_pins, spillway::as_sender>;

/// The rules of a packet link, and SM1: the sum is that of the flits that have crossed.
class sum_checker final : public spillway::packet_checker {
public:
  spillway::input<std::uint16_t> sum{"sum"};
  using packet_checker::packet_checker;

private:
  void reset() override {
    packet_checker::reset();
    expected_ = 0;
  }
  void tick() override {
    if (sum.read() != expected_)
      fail("SM1", "the sum is " + std::to_string(sum.read()) + ", expected " + std::to_string(expected_));
    if (crosses()) {
      expected_ = sum_of(expected_, data.read());
      wake_at(cycle() + 1);
    }
    packet_checker::tick();
  }

  std::uint16_t expected_ = 0;
};

class sum_link final : public spillway::packet_link {
public:
  explicit sum_link(spillway::link_place place) : packet_link(std::move(place)), sum_(name()) {}

  const char* kind() const override { return "summed"; }
  void connect_sum(sum_out& end) { sum_.connect(end); }
  std::vector<spillway::link_signal> signals() const override {
    auto all = packet_link::signals();
    sum_.add_signals(all);
    return all;
  }
  std::unique_ptr<spillway::clocked> make_checker(const spillway::violation_handler& handler) override {
    if (place().from_switch < 0) return packet_link::make_checker(handler);  // terminals do not sum
    spillway::packet_checker_config config;
    config.link = path();
    auto checker = std::make_unique<sum_checker>(checker_name().c_str(), config, handler);
    connect(*checker);
    sum_.with([&](auto& wires) { checker->sum(wires.sum); });
    return checker;
  }

private:
  spillway::bundle_wires<sum_pins> sum_;
};

/// The plain packet switch with sums; in cycle `wrong_at`, its first output shows a wrong one.
class summed_switch final : public spillway::buffer_pool {
public:
  spillway::row<sum_out> sums;

  explicit summed_switch(const spillway::switch_context& c)
      : buffer_pool(c.name.c_str(), config_of(c), c.node, c.routes, c.neighbours),
        sums(c.outputs, "out"),
        wrong_at_(c.parameters.at("wrong_at")),
        so_far_(c.outputs) {}

  void connect_output(unsigned port, spillway::network_link& l) override {
    buffer_pool::connect_output(port, l);
    spillway::link_cast<sum_link>(l).connect_sum(sums[port]);
  }

private:
  static spillway::buffer_pool_config config_of(const spillway::switch_context& c) {
    spillway::buffer_pool_config config;
    config.inputs = c.inputs, config.outputs = c.outputs;
    config.depth = c.parameters.at("depth");
    config.packet_length = c.packet_length;
    config.terminal_inputs = c.terminal_inputs;
    return config;
  }
  void reset() override {
    buffer_pool::reset();
    for (unsigned o = 0; o < sums.size(); ++o) sums[o].sum.write(so_far_[o] = 0);
  }
  void tick() override {
    for (unsigned o = 0; o < sums.size(); ++o) {
      if (out[o].crosses()) so_far_[o] = sum_of(so_far_[o], out[o].data.read());
      const bool wrong = o == 0 && wrong_at_ && cycle() == wrong_at_;
      sums[o].sum.write(static_cast<std::uint16_t>(so_far_[o] + wrong));
    }
    buffer_pool::tick();
    if (cycle() <= wrong_at_) wake_at(cycle() == wrong_at_ ? cycle() + 1 : wrong_at_);
  }

  const std::uint64_t wrong_at_;
  std::vector<std::uint16_t> so_far_;
};

class summed final : public spillway::switch_entry {
public:
  summed() : switch_entry("summed") {}

  nlohmann::json schema() const override {
    return spillway::parse_schema(R"({
      "description": "A packet switch whose links show the sum of what has crossed them.",
      "properties": {
        "depth": {"type": "integer", "minimum": 1, "maximum": 4096, "default": 4, "description": "Flits an input."},
        "wrong_at": {"type": "integer", "minimum": 0, "default": 0,
                     "description": "Cycle in which the first outputs show a wrong sum; 0: none."}
      }})");
  }
  std::unique_ptr<spillway::network_block> make(const spillway::switch_context& c) const override {
    return std::make_unique<summed_switch>(c);
  }
  std::unique_ptr<spillway::network_link> make_link(const nlohmann::json&,
                                                    spillway::link_place place) const override {
    return std::make_unique<sum_link>(std::move(place));
  }
  bool takes_long_links(const nlohmann::json&) const override { return false; }
  std::string writes_no_routes(const nlohmann::json&) const override { return {}; }
  std::optional<double> room(const nlohmann::json& keys, unsigned inputs, unsigned,
                             std::size_t) const override {
    return keys.at("depth").get<double>() * inputs;
  }
};

}  // namespace own
