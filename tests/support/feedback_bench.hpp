#pragma once
#include <functional>
#include <spillway/hw/feedback/feedback_checker.hpp>
#include <spillway/hw/packet/memory_checker.hpp>
#include <support/link_bench.hpp>

namespace spillway::testing_support {

/// One wire of either kernel.
template <class T>
class any_wire {
public:
  any_wire(bench& b, const std::string& name) : wire_(*b.keep<part>(name).wire) {}
  template <class Pin>
  void connect(Pin& pin) {
    pin(wire_);
  }
  /// Seen at the next edge.
  void write(const T& value) { wire_.write(value); }
  const T& read() const { return wire_.read(); }

private:
  struct part {
    explicit part(const std::string& name) : wire(make_wire<T>(name)) {}
    std::unique_ptr<sc_core::sc_signal_inout_if<T>> wire;
  };
  sc_core::sc_signal_inout_if<T>& wire_;
};

inline link_place place(std::string name) {
  link_place p;
  p.name = std::move(name);
  return p;
}

/// A block with some pins that does what a test says at every edge.
template <class Pins>
class puppet : public clocked {
public:
  Pins pins;
  template <class... Args>
  explicit puppet(const sc_core::sc_module_name& name, Args&&... args)
      : clocked(name), pins(std::forward<Args>(args)...) {}
  std::function<void(std::uint64_t cycle)> act;

private:
  void reset() override {}
  void tick() override {
    wake_at(cycle() + 1);
    act(cycle());
  }
};

/// Drives feedback lines for the modules of a test.
class line_puppet : public clocked {
public:
  row<output<bool>> lines;
  std::function<bool(std::uint64_t cycle, unsigned module)> hot;

  line_puppet(const sc_core::sc_module_name& name, unsigned modules)
      : clocked(name), lines(modules, "lines") {}
  void bind(feedback_lines& to) {
    for (unsigned m = 0; m < lines.size(); ++m) to.connect_line(m, lines[m]);
  }

private:
  void reset() override {
    for (auto& line : lines) line.write(false);
  }
  void tick() override {
    wake_at(cycle() + 1);
    for (unsigned m = 0; m < lines.size(); ++m) lines[m].write(hot && hot(cycle(), m));
  }
};

/// Packets that become due at given cycles.
class listed_supply : public packet_supply {
public:
  struct item {
    std::uint64_t cycle;
    packet_order order;
  };
  explicit listed_supply(std::vector<item> items) : items_(std::move(items)) {}
  std::uint64_t due(std::uint64_t now, std::size_t) override {
    if (next_ == items_.size()) return never;
    return std::max(now, items_[next_].cycle);
  }
  packet_order take(std::uint64_t) override { return items_[next_++].order; }

private:
  std::vector<item> items_;
  std::size_t next_ = 0;
};

/// Writes down what endpoints do.
struct event_log : endpoint_observer {
  std::vector<passage> made, entered, arrived;
  void created(std::uint64_t cycle, const flit& head) override { made.push_back({cycle, head}); }
  void injected(std::uint64_t cycle, const flit& head) override { entered.push_back({cycle, head}); }
  void delivered(std::uint64_t cycle, unsigned, const flit& f) override { arrived.push_back({cycle, f}); }
};

inline std::vector<std::uint64_t> cycles_of(const std::vector<passage>& list) {
  std::vector<std::uint64_t> cycles;
  cycles.reserve(list.size());
  for (const passage& p : list) cycles.push_back(p.cycle);
  return cycles;
}
inline std::vector<std::uint32_t> modules_of(const std::vector<passage>& list) {
  std::vector<std::uint32_t> modules;
  modules.reserve(list.size());
  for (const passage& p : list) modules.push_back(p.data.destination);
  return modules;
}

}  // namespace spillway::testing_support
