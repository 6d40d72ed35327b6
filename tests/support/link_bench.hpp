#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <ostream>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_checker.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/links/packet_watcher.hpp>
#include <string>
#include <support/dice.hpp>
#include <utility>
#include <vector>

// What tests of single blocks are built from: a bench on either kernel whose links all have a checker,
// a sender and a receiver that stall at random.

namespace spillway::testing_support {

struct sc_test : testing::Test {
  void SetUp() override {
    ASSERT_FALSE(sc_core::sc_start_of_simulation_invoked())
        << "one simulation a process: use ctest, or filter one test";
  }
};

enum class kernel { signals, fast };
inline std::string name_of(kernel k) { return k == kernel::fast ? "fast" : "signals"; }
inline void PrintTo(kernel k, std::ostream* os) { *os << name_of(k); }

inline const sc_core::sc_time& period() {
  static const sc_core::sc_time ten_ns(10, sc_core::SC_NS);
  return ten_ns;
}
/// Steps every bench of the process; the edges are in the middle of the cycles.
inline void run(unsigned cycles) { sc_core::sc_start(cycles * period()); }

/// The wires of a link, of one kernel or the other.
struct any_link {
  sc_core::sc_signal_inout_if<bool>& valid;
  sc_core::sc_signal_inout_if<flit>& data;
  sc_core::sc_signal_inout_if<lane_mask>& ready;
};

/// On the fast kernel it doubts sleepers, so that every test of a block also checks that the block sleeps
/// only when it may. With SPILLWAY_TRUST_SLEEPERS set it does not, as in a run: a checker, which shows
/// nothing by which it could be doubted, must then wake up by itself.
class bench {
public:
  explicit bench(kernel k, std::string name = "bench") : name_(std::move(name)) {
    if (k == kernel::fast) {
      domain_ = std::make_unique<clock_domain>((name_ + "_domain").c_str(), period());
      if (!std::getenv("SPILLWAY_TRUST_SLEEPERS")) domain_->doubt_sleepers();
      rst_wire_ = std::make_unique<wire<bool>>(*domain_);
    } else {
      clock_ = std::make_unique<sc_core::sc_clock>((name_ + "_clk").c_str(), period(), 0.5, period() / 2);
      rst_signal_ = std::make_unique<sc_core::sc_signal<bool>>((name_ + "_rst").c_str());
    }
  }
  ~bench() { compare_watchers(); }
  bench(const bench&) = delete;
  bench& operator=(const bench&) = delete;

  /// Makes a part, such as a link, on the bench's kernel.
  template <class T, class... Args>
  std::unique_ptr<T> make_part(Args&&... args) {
    const top_level_scope scope(domain_.get());
    return std::make_unique<T>(std::forward<Args>(args)...);
  }
  /// The same, and keeps it for as long as the bench.
  template <class T, class... Args>
  T& keep(Args&&... args) {
    const top_level_scope scope(domain_.get());
    auto part = std::make_shared<T>(std::forward<Args>(args)...);
    parts_.push_back(part);
    return *part;
  }
  template <class Block, class... Args>
  Block& make(const std::string& name, Args&&... args) {
    const top_level_scope scope(domain_.get());
    auto block = std::make_shared<Block>((name_ + "_" + name).c_str(), std::forward<Args>(args)...);
    clock(*block);
    parts_.push_back(block);
    return *block;
  }
  void clock(clocked& block) {
    if (domain_)
      block.clk(*domain_), block.rst(*rst_wire_);
    else
      block.clk(*clock_), block.rst(*rst_signal_);
  }
  any_link bare_link(const std::string& name) {
    if (domain_) {
      auto w = std::make_shared<packet_wires>(*domain_);
      parts_.push_back(w);
      last_wires_ = w.get();
      return {w->valid, w->data, w->ready};
    }
    auto s = std::make_shared<packet_signals>(name_ + "_" + name);
    parts_.push_back(s);
    return {s->valid, s->data, s->ready};
  }
  /// A link with a checker that collects into `violations`. On the fast kernel a watcher looks at it as well,
  /// and must find the same.
  any_link link(const std::string& name, const packet_checker_config& rules = {}) {
    const any_link l = bare_link(name);
    auto told = std::make_shared<std::vector<std::string>>();
    check_ = &make<packet_checker>("check_" + name, rules, [this, told](const violation& v) {
      violations.push_back(v);
      told->push_back(v.message);
    });
    check_->bind(l);
    if (domain_) watch(*last_wires_, rules, told);
    return l;
  }
  void rst(bool high) {
    if (domain_)
      rst_wire_->write(high);
    else
      rst_signal_->write(high);
  }
  void reset(unsigned cycles = 2) {
    rst(true);
    run(cycles);
    rst(false);
  }
  clock_domain& domain() { return *domain_; }
  violation_handler collect() {
    return [this](const violation& v) { violations.push_back(v); };
  }
  /// The checkers that a switch makes, which collect into `violations`.
  template <class Switch>
  std::vector<std::unique_ptr<clocked>> checkers_of(Switch& s) {
    const top_level_scope scope(domain_.get());
    auto all = s.make_checkers(collect());
    for (auto& checker : all) clock(*checker);
    return all;
  }
  packet_checker& last_checker() { return *check_; }
  /// A flit crosses a bare link, whose ready is high, at the next edge.
  static void cross(any_link& l, const flit& f) {
    l.valid.write(true);
    l.data.write(f);
    run(1);
    l.valid.write(false);
  }
  /// The rules that were broken, each followed by a space.
  std::string broken() const {
    std::string all;
    for (const violation& v : violations) all += v.rule + " ";
    return all;
  }
  std::string first_violation() const { return violations.empty() ? "" : violations.front().message; }

  std::vector<violation> violations;

private:
  using messages = std::shared_ptr<std::vector<std::string>>;
  struct twins {
    const packet_checker& checker;
    std::shared_ptr<packet_watcher> watcher;
    messages of_checker, of_watcher;
  };

  void watch(packet_wires& wires, packet_checker_config rules, const messages& of_checker) {
    if (rules.link.empty()) rules.link = check_->name();
    auto told = std::make_shared<std::vector<std::string>>();
    const top_level_scope scope(domain_.get());
    twins_.push_back(
        {*check_,
         std::make_shared<packet_watcher>(wires, *rst_wire_, rules,
                                          [told](const violation& v) { told->push_back(v.message); }),
         of_checker, told});
  }
  void compare_watchers() const {
    if (sc_core::sc_get_status() != sc_core::SC_PAUSED)
      return;  // not begun, or a fault has ended it amid an edge
    for (const twins& both : twins_) {
      EXPECT_EQ(*both.of_watcher, *both.of_checker);
      EXPECT_EQ(both.watcher->counts().flits, both.checker.counts().flits) << both.watcher->full_name();
      EXPECT_EQ(both.watcher->counts().blocked, both.checker.counts().blocked) << both.watcher->full_name();
    }
  }

  std::string name_;
  std::unique_ptr<clock_domain> domain_;
  std::unique_ptr<sc_core::sc_clock> clock_;
  std::unique_ptr<wire<bool>> rst_wire_;
  std::unique_ptr<sc_core::sc_signal<bool>> rst_signal_;
  std::vector<std::shared_ptr<void>> parts_;
  packet_checker* check_ = nullptr;
  packet_wires* last_wires_ = nullptr;
  std::vector<twins> twins_;
};

/// A flit and the edge at which it crossed the link.
struct passage {
  std::uint64_t cycle;
  flit data;
  bool operator==(const passage& other) const { return cycle == other.cycle && data == other.data; }
};

inline flit make_flit(std::uint32_t source, std::uint32_t destination, std::uint32_t packet,
                      unsigned index = 0, unsigned length = 1, unsigned lane = 0) {
  flit f;
  f.source = source;
  f.destination = destination;
  f.packet = packet;
  f.index = static_cast<std::uint16_t>(index);
  f.length = static_cast<std::uint16_t>(length);
  f.lane = static_cast<std::uint8_t>(lane);
  f.payload = (std::uint64_t{packet} << 20 | source << 10 | destination) * 0x9e3779b97f4a7c15u + index;
  // What belongs to neither the sender nor the receiver: blocks bring it through as it is.
  const std::uint64_t others = f.payload * 0xd1342543de82ef95u;
  f.traffic_class = others >> 60;
  f.marks = others >> 56 & 0xf;
  f.route = others >> 44 & 0xfff;
  f.interface_word = others & 0xffffffffff;
  return f;
}

/// Sends what is in `todo`; starts to show a flit with `rate` percent a cycle.
class sender : public clocked {
public:
  packet_out out{"out"};
  std::deque<flit> todo;
  std::vector<passage> sent;
  unsigned rate;

  explicit sender(const sc_core::sc_module_name& name, unsigned percent = 100, std::uint32_t seed = 1)
      : clocked(name), rate(percent), dice_(seed) {}
  void add_packet(std::uint32_t source, std::uint32_t destination, std::uint32_t packet, unsigned length = 1,
                  unsigned lane = 0) {
    for (unsigned i = 0; i < length; ++i)
      todo.push_back(make_flit(source, destination, packet, i, length, lane));
  }

private:
  void reset() override {
    showing_ = false;
    out.valid.write(false);
  }
  void tick() override {
    wake_at(cycle() + 1);
    if (showing_ && accepts(out.ready.read(), todo.front())) {
      sent.push_back({cycle(), todo.front()});
      todo.pop_front();
      showing_ = false;
    }
    if (!showing_ && !todo.empty()) showing_ = dice_.percent(rate);
    out.valid.write(showing_);
    if (showing_) out.data.write(todo.front());
  }

  dice dice_;
  bool showing_ = false;
};

/// Takes flits of any lane with `rate` percent a cycle.
class receiver : public clocked {
public:
  packet_in in{"in"};
  std::vector<passage> got;
  unsigned rate;

  explicit receiver(const sc_core::sc_module_name& name, unsigned percent = 100, std::uint32_t seed = 2)
      : clocked(name), rate(percent), dice_(seed) {}

private:
  void reset() override {
    open_ = false;
    in.ready.write(0);
  }
  void tick() override {
    wake_at(cycle() + 1);
    if (open_ && in.valid.read()) got.push_back({cycle(), in.data.read()});
    open_ = dice_.percent(rate);
    in.ready.write(open_ ? ~lane_mask{0} : 0);
  }

  dice dice_;
  bool open_ = false;
};

}  // namespace spillway::testing_support
