#include <gmock/gmock.h>

#include <array>
#include <ostream>
#include <set>
#include <support/link_bench.hpp>
#include <support/refusal.hpp>

using namespace spillway;
using namespace spillway::testing_support;
using ::testing::HasSubstr;

namespace {

struct kernel_test : sc_test {};

// Counts up while `go` is high; sleeps otherwise, but for the alarm.
class counter : public clocked {
public:
  input<bool> go{"go"};
  output<int> count{"count"};
  std::vector<std::uint64_t> called;
  std::uint64_t alarm = 0;

  explicit counter(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override {
    n_ = 0;
    count.write(0);
  }
  void tick() override {
    called.push_back(cycle());
    if (alarm > cycle()) wake_at(alarm), alarm = 0;
    if (!go.read()) return;
    count.write(++n_);
    wake_at(cycle() + 1);
  }
  int n_ = 0;
};

// Repeats its input one cycle later, logging what it sees.
class repeater : public clocked {
public:
  input<int> in{"in"};
  output<int> out{"out"};
  std::vector<std::pair<std::uint64_t, int>> seen;  // changes

  explicit repeater(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { out.write(0); }
  void tick() override {
    if (seen.empty() || seen.back().second != in.read()) seen.emplace_back(cycle(), in.read());
    out.write(in.read());
  }
};

struct large {
  std::array<std::uint64_t, 3> words{};
  bool operator==(const large& other) const { return words == other.words; }
  friend std::ostream& operator<<(std::ostream& os, const large& l) { return os << l.words[0]; }
  friend void sc_trace(sc_core::sc_trace_file* tf, const large& l, const std::string& name) {
    for (std::size_t i = 0; i < l.words.size(); ++i)
      sc_core::sc_trace(tf, l.words[i], name + "." + std::to_string(i));
  }
};

// One more than its input shows, one cycle later.
class increment : public clocked {
public:
  input<large> in{"in"};
  output<large> out{"out"};

  explicit increment(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { out.write({}); }
  void tick() override { out.write({{in.read().words[0] + 1}}); }
};
large make(std::uint64_t word, large) { return {{word, ~word, word * word}}; }
template <class T>
T make(std::uint64_t word, T) {
  return static_cast<T>(word);
}

std::uint64_t number_of(const large& l) { return l.words[0]; }
std::uint64_t number_of(std::uint64_t n) { return n; }

// Writes something else first, then back what its pin shows; every fifth cycle it stays with the other.
template <class T>
class wavering : public clocked {
public:
  output<T> out{"out"};
  T kept{};

  explicit wavering(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { out.write(kept); }
  void tick() override {
    const T other = make(cycle() + 1, T{});
    out.write(other);
    if (cycle() % 5 == 4) kept = other;
    out.write(kept);
    wake_at(cycle() + 1);
  }
};

template <class T>
class listener : public clocked {
public:
  input<T> in{"in"};
  std::vector<T> heard;  // each time that it is called

  explicit listener(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override {}
  void tick() override { heard.push_back(in.read()); }
};

template <class T>
void expect_the_last_write_of_a_cycle_to_count() {
  sc_core::sc_clock clk("clk", period(), 0.5, period() / 2);
  clock_domain domain("domain", period());
  sc_core::sc_signal<bool> s_rst("s_rst");
  sc_core::sc_signal<T> s_link("s_link");
  wire<bool> w_rst(domain);
  wire<T> w_link(domain);
  wavering<T> s_writer("s_writer"), w_writer("w_writer");
  listener<T> s_reader("s_reader"), w_reader("w_reader");
  s_writer.clk(clk), s_writer.rst(s_rst), s_writer.out(s_link);
  s_reader.clk(clk), s_reader.rst(s_rst), s_reader.in(s_link);
  w_writer.clk(domain), w_writer.rst(w_rst), w_writer.out(w_link);
  w_reader.clk(domain), w_reader.rst(w_rst), w_reader.in(w_link);
  for (int cycle = 0; cycle < 50; ++cycle) {
    run(1);
    ASSERT_EQ(s_link.read(), s_writer.kept) << cycle;
    ASSERT_EQ(w_link.read(), w_writer.kept) << cycle;
    // What nobody was shown is not written on either: from outside, between edges.
    const T shown = w_link.read();
    w_link.write(make(99, T{})), w_link.write(shown);
  }
  EXPECT_EQ(w_writer.kept, make(50, T{}));
  std::set<T, bool (*)(const T&, const T&)> values(
      [](const T& a, const T& b) { return number_of(a) < number_of(b); });
  for (const T& value : w_reader.heard) values.insert(value);
  EXPECT_EQ(values.size(), 10u) << "the first, and each that was kept but the last";
}

// Writes wires at random, between edges, and holds what they show against a plain copy.
template <class T>
void expect_each_wire_shows_what_was_written_to_it(std::size_t size) {
  clock_domain domain("domain", period());
  std::vector<std::unique_ptr<wire<T>>> wires;
  while (wires.size() < size) wires.push_back(std::make_unique<wire<T>>(domain));
  std::vector<T> written(size), shown(size);
  dice d(7);
  for (int cycle = 0; cycle < 30; ++cycle) {
    for (std::size_t i = 0; i < size; ++i) {
      if (!d.percent(i < size / 2 ? 1 : 20)) continue;
      written[i] = make(d.below(1000), T{});
      wires[i]->write(written[i]);
      ASSERT_EQ(wires[i]->read(), shown[i]) << "not before the edge";
    }
    domain.step();
    shown = written;
    for (std::size_t i = 0; i < size; ++i)
      ASSERT_EQ(wires[i]->read(), shown[i]) << i << " in cycle " << cycle;
  }
}

// A user's own module of plain SystemC.
struct doubler : sc_core::sc_module {
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<int> in{"in"};
  sc_core::sc_out<int> out{"out"};
  SC_CTOR(doubler) {
    SC_METHOD(step);
    sensitive << clk.pos();
    dont_initialize();
  }
  void step() { out.write(2 * in.read()); }
};

}  // namespace

TEST_F(kernel_test, runs_a_block_alike_on_signals_and_on_the_fast_kernel) {
  sc_core::sc_clock clk("clk", period(), 0.5, period() / 2);
  clock_domain domain("domain", period());
  sc_core::sc_signal<bool> s_rst("s_rst"), s_go("s_go");
  sc_core::sc_signal<int> s_link("s_link"), s_end("s_end");
  wire<bool> w_rst(domain), w_go(domain);
  wire<int> w_link(domain), w_end(domain);
  counter s_first("s_first"), w_first("w_first");
  repeater s_second("s_second"), w_second("w_second");
  const auto connect = [](counter& c, repeater& r, auto& clock, auto& rst, auto& go, auto& link, auto& end) {
    c.clk(clock), c.rst(rst), c.go(go), c.count(link);
    r.clk(clock), r.rst(rst), r.in(link), r.out(end);
  };
  connect(s_first, s_second, clk, s_rst, s_go, s_link, s_end);
  connect(w_first, w_second, domain, w_rst, w_go, w_link, w_end);
  dice d(4);
  for (int cycle = 0; cycle < 300; ++cycle) {
    const bool rst = cycle < 2 || d.percent(2), go = d.percent(30);
    s_rst.write(rst), w_rst.write(rst), s_go.write(go), w_go.write(go);
    run(1);
    ASSERT_EQ(s_link.read(), w_link.read()) << cycle;
    ASSERT_EQ(s_end.read(), w_end.read()) << cycle;
  }
  EXPECT_EQ(s_second.seen, w_second.seen);
  EXPECT_GT(w_second.seen.size(), 30u);
  EXPECT_EQ(s_first.cycle(), w_first.cycle());
  EXPECT_LT(w_first.called.size(), s_first.called.size()) << "the fast kernel lets it sleep";
}

TEST_F(kernel_test, calls_a_block_only_when_it_has_something_to_do) {
  clock_domain domain("domain", period());
  wire<bool> rst(domain), go(domain);
  wire<int> count(domain);
  counter c("c");
  c.clk(domain), c.rst(rst), c.go(go), c.count(count);
  run(10);
  EXPECT_EQ(c.called, (std::vector<std::uint64_t>{0})) << "once at the start";
  go.write(true);
  run(3);
  go.write(false);
  run(10);
  EXPECT_EQ(c.called, (std::vector<std::uint64_t>{0, 10, 11, 12, 13}));
  EXPECT_EQ(count.read(), 3);
  EXPECT_EQ(domain.calls(), 5u);
  go.write(false);  // the value that it has: no reason to wake
  run(5);
  EXPECT_EQ(c.called.size(), 5u);
}

TEST_F(kernel_test, wakes_a_block_at_the_cycle_that_it_asked_for) {
  clock_domain domain("domain", period());
  wire<bool> rst(domain), go(domain);
  wire<int> count(domain);
  counter c("c");
  c.clk(domain), c.rst(rst), c.go(go), c.count(count);
  c.alarm = 17;
  run(30);
  EXPECT_EQ(c.called, (std::vector<std::uint64_t>{0, 17}));
}

TEST_F(kernel_test, wakes_each_block_at_its_cycle_however_far_off) {
  clock_domain domain("domain", period());
  wire<bool> rst(domain), go(domain);
  std::vector<std::unique_ptr<counter>> blocks;
  std::vector<std::unique_ptr<wire<int>>> counts;
  const std::vector<std::uint64_t> alarms{1, 2, 254, 255, 256, 257, 511, 512, 513, 1000};
  for (const std::uint64_t alarm : alarms) {
    blocks.push_back(std::make_unique<counter>(("c" + std::to_string(alarm)).c_str()));
    counts.push_back(std::make_unique<wire<int>>(domain));
    counter& c = *blocks.back();
    c.clk(domain), c.rst(rst), c.go(go), c.count(*counts.back());
    c.alarm = alarm;
  }
  run(1100);
  for (std::size_t i = 0; i < alarms.size(); ++i)
    EXPECT_EQ(blocks[i]->called, (std::vector<std::uint64_t>{0, alarms[i]}));
}

TEST_F(kernel_test, shows_what_was_written_before_the_start) {
  clock_domain domain("domain", period());
  wire<bool> rst(domain);
  wire<int> in(domain, 3), out(domain), lone(domain);
  repeater r("r");
  r.clk(domain), r.rst(rst), r.in(in), r.out(out);
  in.write(7);
  lone.write(5);
  EXPECT_EQ(in.read(), 3) << "until the first edge";
  run(2);
  EXPECT_EQ(r.seen.front(), std::make_pair(std::uint64_t{0}, 7));
  EXPECT_EQ(out.read(), 7);
  EXPECT_EQ(lone.read(), 5) << "without a reader, too";
}

TEST_F(kernel_test, shows_the_last_that_was_written_before_the_start_on_a_large_wire) {
  clock_domain domain("domain", period());
  wire<bool> rst(domain);
  wire<large> in(domain), out(domain);
  increment b("b");
  b.clk(domain), b.rst(rst), b.in(in), b.out(out);
  {
    wire<large> gone(domain);
    in.write({{6}}), gone.write({{9}}), in.write({{7}});
  }
  EXPECT_EQ(in.read(), large{}) << "until the first edge";
  run(2);
  EXPECT_EQ(in.read(), large{{7}});
  EXPECT_EQ(out.read(), large{{8}});
}

TEST_F(kernel_test, shows_what_was_written_on_each_of_many_wires) {
  expect_each_wire_shows_what_was_written_to_it<std::uint8_t>(9001);
  expect_each_wire_shows_what_was_written_to_it<std::uint64_t>(1537);
  expect_each_wire_shows_what_was_written_to_it<large>(600);
}

TEST_F(kernel_test, shows_the_last_that_is_written_in_a_cycle_even_if_that_is_what_was_shown) {
  expect_the_last_write_of_a_cycle_to_count<std::uint8_t>();
}
TEST_F(kernel_test, shows_the_last_that_is_written_in_a_cycle_on_a_wide_wire) {
  expect_the_last_write_of_a_cycle_to_count<std::uint64_t>();
}
TEST_F(kernel_test, shows_the_last_that_is_written_in_a_cycle_on_a_large_wire) {
  expect_the_last_write_of_a_cycle_to_count<large>();
}

TEST_F(kernel_test, takes_blocks_of_its_own_memory_and_of_the_heap) {
  clock_domain domain("domain", period());
  wire<bool> rst(domain), go(domain);
  wire<int> count(domain), other(domain);
  auto heap = std::make_unique<counter>("heap");
  const top_level_scope scope(&domain);
  auto mine = std::make_unique<counter>("mine");
  std::make_unique<counter>("gone").reset();
  const auto connect = [&](counter& c, wire<int>& out) { c.clk(domain), c.rst(rst), c.go(go), c.count(out); };
  connect(*mine, count);
  connect(*heap, other);
  go.write(true);
  run(5);
  EXPECT_EQ(count.read(), 5);
  EXPECT_EQ(other.read(), 5);
}

TEST_F(kernel_test, steps_more_blocks_than_a_cache_holds) {
  constexpr std::size_t n = 20000;
  clock_domain domain("domain", period());
  wire<bool> rst(domain);
  std::vector<std::unique_ptr<increment>> blocks;
  std::vector<std::unique_ptr<wire<large>>> ring;
  for (std::size_t i = 0; i < n; ++i) {
    const top_level_scope scope(i % 100 ? &domain : nullptr);  // some lie on the heap
    blocks.push_back(std::make_unique<increment>(("b" + std::to_string(i)).c_str()));
    ring.push_back(std::make_unique<wire<large>>(domain));
  }
  for (std::size_t i = 0; i < n; ++i) {
    increment& b = *blocks[i];
    b.clk(domain), b.rst(rst), b.in(*ring[i]), b.out(*ring[(i + 1) % n]);
  }
  run(4);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(ring[i]->read().words[0], 4u) << i;
  EXPECT_EQ(domain.calls(), 4 * n);
}

TEST_F(kernel_test, wakes_more_than_one_reader) {
  clock_domain domain("domain", period());
  wire<bool> rst(domain), go(domain);
  std::vector<std::unique_ptr<counter>> readers;
  std::vector<std::unique_ptr<wire<int>>> counts;
  for (int i = 0; i < 130; ++i) {  // more than two words of the domain's bits
    readers.push_back(std::make_unique<counter>(("c" + std::to_string(i)).c_str()));
    counts.push_back(std::make_unique<wire<int>>(domain));
    readers[i]->clk(domain), readers[i]->rst(rst), readers[i]->go(go), readers[i]->count(*counts[i]);
  }
  run(3);
  go.write(true);
  run(1);
  for (int i = 0; i < 130; ++i) ASSERT_EQ(counts[i]->read(), 1) << i;
  EXPECT_EQ(domain.size(), 130u);
}

TEST_F(kernel_test, resets_at_the_edge_only) {
  bench b(kernel::fast);
  clock_domain& domain = b.domain();
  wire<bool> go(domain, true);
  wire<int> count(domain);
  auto& c = b.make<counter>("c");
  c.go(go), c.count(count);
  run(7);
  EXPECT_EQ(count.read(), 7);
  b.rst(true);
  EXPECT_EQ(count.read(), 7);
  run(1);
  EXPECT_EQ(count.read(), 0);
  run(3);
  b.rst(false);
  run(2);
  EXPECT_EQ(count.read(), 2);
}

TEST_F(kernel_test, follows_a_clock_beside_the_users_own_module) {
  sc_core::sc_clock clk("clk", period(), 0.5, period() / 2);
  clock_domain domain("domain", period());
  domain.clk(clk);
  wire<bool> rst(domain), go(domain, true);
  sc_core::sc_signal<int> to_user("to_user"), from_user("from_user");
  wire<int> end(domain);
  counter c("c");
  doubler user("user");
  repeater r("r");
  c.clk(domain), c.rst(rst), c.go(go), c.count(to_user);
  user.clk(clk), user.in(to_user), user.out(from_user);
  r.clk(domain), r.rst(rst), r.in(from_user), r.out(end);
  run(20);
  EXPECT_EQ(domain.cycle(), 20u);
  EXPECT_EQ(to_user.read(), 20);
  EXPECT_EQ(from_user.read(), 2 * 19) << "one cycle later";
  EXPECT_EQ(end.read(), 2 * 18) << "one more";
  // A block whose input is a signal cannot be woken by it, so it is called at every edge.
  ASSERT_EQ(r.seen.size(), 19u);
  for (std::size_t i = 1; i < r.seen.size(); ++i)
    EXPECT_EQ(r.seen[i], std::make_pair(static_cast<std::uint64_t>(i + 1), static_cast<int>(2 * i)));
}

TEST_F(kernel_test, steps_two_domains_in_one_simulation) {
  clock_domain slow("slow", 2 * period()), quick("quick", period() / 2);  // never an edge at once
  wire<bool> slow_rst(slow), quick_rst(quick), slow_go(slow, true), quick_go(quick, true);
  wire<int> a(slow), b(quick), end(quick);
  counter ca("ca"), cb("cb");
  repeater r("r");
  ca.clk(slow), ca.rst(slow_rst), ca.go(slow_go), ca.count(a);
  cb.clk(quick), cb.rst(quick_rst), cb.go(quick_go), cb.count(b);
  r.clk(quick), r.rst(quick_rst), r.in(a), r.out(end);  // crosses
  run(10);
  EXPECT_EQ(slow.cycle(), 5u);
  EXPECT_EQ(quick.cycle(), 20u);
  EXPECT_EQ(a.read(), 5);
  EXPECT_EQ(b.read(), 20);
  EXPECT_EQ(end.read(), 5) << "what crosses domains is seen";
  EXPECT_EQ(r.seen.size(), 6u);
}

TEST_F(kernel_test, shows_what_is_written_from_outside_where_it_has_no_block) {
  clock_domain domain("domain", period());
  wire<int> w(domain);
  w.write(5);
  run(3);
  EXPECT_EQ(domain.cycle(), 3u);
  EXPECT_EQ(w.read(), 5);
}

TEST_F(kernel_test, refuses_to_give_a_wires_event) {
  clock_domain domain("domain", period());
  wire<int> w(domain);
  wire<bool> edge(domain);
  wire<sc_dt::sc_logic> logic(domain);
  EXPECT_THROW(w.value_changed_event(), sc_core::sc_report);
  EXPECT_THROW(edge.posedge_event(), sc_core::sc_report);
  EXPECT_THROW(logic.negedge_event(), sc_core::sc_report);
}

TEST_F(kernel_test, needs_a_period_or_a_clock) {
  clock_domain domain("domain", sc_core::SC_ZERO_TIME);
  EXPECT_THAT(refusal([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }),
              HasSubstr("domain: expected a period above 0, or a clock that clk is bound to"));
}

TEST_F(kernel_test, needs_no_period_with_a_clock) {
  sc_core::sc_clock clk("clk", period(), 0.5, period() / 2);
  clock_domain domain("domain", sc_core::SC_ZERO_TIME);
  domain.clk(clk);
  run(3);
  EXPECT_EQ(domain.cycle(), 3u);
}
