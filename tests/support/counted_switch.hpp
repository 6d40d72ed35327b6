#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/links/packet_checker.hpp>
#include <spillway/hw/packet/buffer_pool.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>
#include <spillway/platforms/elaborate/switch_entry.hpp>
#include <string>
#include <utility>

// A kind of switch of a user's own, with a kind of link of its own: a packet link that shows beside its pins
// how many flits have crossed it, and whose checker counts them too.

namespace spillway::testing_support {

template <class As>
struct count_pins {
  explicit count_pins(const typename As::names& of) : count(of["count"]) {}
  forward_pin<As, std::uint32_t> count;

  template <class F, class... Bundles>
  static void each(F&& f, Bundles&... b) {
    f(b.count...);
  }
};
using count_out = bundle<count_pins, as_sender>;

/// The packet rules, and CT1: the count is that of the flits that have crossed.
class counted_checker final : public packet_checker {
public:
  input<std::uint32_t> count{"count"};

  counted_checker(const sc_core::sc_module_name& name, const std::string& watched,
                  const violation_handler& handler)
      : packet_checker(name, named(watched), handler) {}

private:
  static packet_checker_config named(const std::string& watched) {
    packet_checker_config config;
    config.link = watched;
    return config;
  }
  void reset() override {
    packet_checker::reset();
    expected_ = 0;
  }
  void tick() override {
    if (count.read() != expected_)
      fail("CT1", "the count is " + std::to_string(count.read()) + ", expected " + std::to_string(expected_));
    const bool crossed = crosses();
    expected_ += crossed;
    if (crossed) wake_at(cycle() + 1);
    packet_checker::tick();
  }

  std::uint32_t expected_ = 0;
};

class counted_link final : public packet_link {
public:
  explicit counted_link(link_place place) : packet_link(std::move(place)), count_(name()) {}

  void connect_count(count_out& end) { count_.connect(end); }

  const char* kind() const override { return "counted"; }
  std::vector<link_signal> signals() const override {
    auto all = packet_link::signals();
    count_.add_signals(all);
    return all;
  }
  std::unique_ptr<clocked> make_checker(const violation_handler& handler) override {
    if (place().from_switch < 0) return packet_link::make_checker(handler);  // nobody counts
    auto checker = std::make_unique<counted_checker>(checker_name().c_str(), path(), handler);
    connect(*checker);
    count_.with([&](auto& wires) { checker->count(wires.count); });
    return checker;
  }

private:
  bundle_wires<count_pins> count_;
};

class counted_link_entry final : public link_entry {
public:
  counted_link_entry() : link_entry("counted") {}
  std::string description() const override { return "A packet link that counts."; }
  std::vector<link_pin> pins() const override { return pins_of<packet_pins, count_pins>(); }
  std::vector<std::string> rules() const override { return {"PL1", "PL2", "PL3", "PL4", "PL5", "CT1"}; }
};

/// A packet switch that counts what it sends; with `wrong_at`, wrong by one in that cycle.
class counted_switch final : public buffer_pool {
public:
  row<count_out> sent;

  counted_switch(const switch_context& c, const buffer_pool_config& config)
      : buffer_pool(c.name.c_str(), config, c.node, c.routes, c.neighbours),
        sent(c.outputs, "sent"),
        wrong_at_(c.parameters.value("wrong_at", std::uint64_t{0})),
        counts_(c.outputs) {}

  void connect_output(unsigned port, network_link& l) override {
    buffer_pool::connect_output(port, l);
    link_cast<counted_link>(l).connect_count(sent[port]);
  }

private:
  void reset() override {
    buffer_pool::reset();
    for (unsigned o = 0; o < sent.size(); ++o) sent[o].count.write(counts_[o] = 0);
  }
  void tick() override {
    for (unsigned o = 0; o < sent.size(); ++o) {
      counts_[o] += out[o].crosses();
      sent[o].count.write(counts_[o] + (o == 0 && wrong_at_ && cycle() == wrong_at_));
    }
    buffer_pool::tick();
    wake_at(cycle() + 1);
  }

  const std::uint64_t wrong_at_;
  std::vector<std::uint32_t> counts_;
};

class counted_entry final : public switch_entry {
public:
  counted_entry() : switch_entry("counted") {}

  nlohmann::json schema() const override {
    return {{"description", "A packet switch that counts what it sends."},
            {"properties",
             {{"wrong_at",
               {{"type", "integer"},
                {"minimum", 0},
                {"default", 0},
                {"description", "Cycle in which its first output counts wrong; 0: none."}}}}}};
  }
  std::unique_ptr<network_block> make(const switch_context& c) const override {
    buffer_pool_config config;
    config.inputs = c.inputs;
    config.outputs = c.outputs;
    config.packet_length = c.packet_length;
    return std::make_unique<counted_switch>(c, config);
  }
  std::unique_ptr<network_link> make_link(const nlohmann::json&, link_place place) const override {
    return std::make_unique<counted_link>(std::move(place));
  }
  bool takes_long_links(const nlohmann::json&) const override { return false; }
};

}  // namespace spillway::testing_support
