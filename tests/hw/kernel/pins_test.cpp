#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <support/link_bench.hpp>
#include <vector>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

struct pins_test : sc_test {};

// Shows its input inverted, one cycle later.
class inverter : public clocked {
public:
  input<bool> in{"in"};
  output<bool> out{"out"};
  explicit inverter(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { out.write(false); }
  void tick() override { out.write(!in.read()); }
};

// A user's own module around a block, with processes on the block's pins.
struct watcher : sc_core::sc_module {
  inverter block{"block"};
  sc_core::sc_in<bool> copy{"copy"};
  unsigned changes = 0, rises = 0, falls = 0;
  std::vector<bool> seen;

  SC_CTOR(watcher) {
    copy(block.out);  // a port of SystemC's own, bound to the pin of the block
    SC_METHOD(changed);
    sensitive << block.out;
    dont_initialize();
  }
  void changed() {
    ++changes;
    EXPECT_TRUE(block.out.event());
    EXPECT_EQ(copy.read(), block.out.read());
    rises += block.out.posedge();
    falls += block.out.negedge();
    seen.push_back(block.out.read());
  }
};

// Who only looks on.
struct onlooker : clocked {
  watch_input<bool> in{"in"};
  std::vector<bool> seen;
  explicit onlooker(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override {}
  void tick() override { seen.push_back(in.read()); }
};

// With the pin of a module around it.
struct with_onlooker : sc_core::sc_module {
  input<bool> in{"in"};
  onlooker block{"block"};
  explicit with_onlooker(const sc_core::sc_module_name& name) : sc_module(name) { block.in(in); }
};

std::string refusal_of(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const sc_core::sc_report& report) {
    return report.what();
  }
  return "";
}

}  // namespace

TEST_F(pins_test, have_the_events_of_the_signals_that_they_are_bound_to) {
  sc_core::sc_clock clk("clk", period(), 0.5, period() / 2);
  sc_core::sc_signal<bool> rst("rst"), in("in"), out("out");
  watcher w("w");
  w.block.clk(clk), w.block.rst.bind(rst), w.block.in.bind(in), w.block.out.bind(out);
  for (const bool value : {false, true, true, false, true}) {
    in.write(value);
    run(1);
  }
  EXPECT_EQ(w.seen, (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(w.changes, 4u);
  EXPECT_EQ(w.rises, 2u);
  EXPECT_EQ(w.falls, 2u);
  EXPECT_EQ(&w.block.out.posedge_event(), &out.posedge_event());
  EXPECT_EQ(&w.block.out.negedge_event(), &out.negedge_event());
  EXPECT_EQ(&w.block.in.value_changed_event(), &in.value_changed_event());
  EXPECT_EQ(&w.block.in.default_event(), &in.default_event());
  EXPECT_STREQ(w.block.in.name(), "w.block.in");
}

TEST_F(pins_test, show_an_initial_value) {
  sc_core::sc_clock clk("clk", period(), 0.5, period() / 2);
  sc_core::sc_signal<bool> rst("rst"), in("in"), out("out");
  inverter block("block");
  block.clk(clk), block.rst(rst), block.in(in), block.out(out);
  block.out.initialize(true);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_TRUE(out.read());
}

TEST_F(pins_test, say_by_name_that_a_wire_has_no_events) {
  clock_domain domain("domain", period());
  wire<bool> rst(domain), in(domain), out(domain);
  inverter block("block");
  block.clk(domain), block.rst(rst), block.in.bind(in), block.out.bind(out);
  run(2);
  EXPECT_TRUE(block.out.read());
  const auto expect_refused = [&](auto&& ask) {
    try {
      ask();
      ADD_FAILURE() << "it was let pass";
    } catch (const sc_core::sc_report& report) {
      const std::string what = report.what();
      EXPECT_NE(what.find("block.out is bound to a wire"), std::string::npos) << what;
    }
  };
  expect_refused([&] { block.out.event(); });
  expect_refused([&] { block.out.posedge(); });
  expect_refused([&] { block.out.negedge_event(); });
  expect_refused([&] { block.out.default_event(); });
}

TEST_F(pins_test, cannot_be_waited_for_where_they_are_bound_to_a_wire) {
  clock_domain domain("domain", period());
  wire<bool> rst(domain), in(domain), out(domain);
  watcher w("w");
  w.block.clk(domain), w.block.rst(rst), w.block.in(in), w.block.out(out);
  EXPECT_THROW(run(1), sc_core::sc_report);
}

TEST_F(pins_test, of_who_looks_on_are_ports_where_no_domain_is_named) {
  onlooker plain("plain");
  EXPECT_STREQ(plain.in.name(), "plain.in");
  EXPECT_EQ(&static_cast<sc_core::sc_in<bool>&>(plain.in), sc_core::sc_find_object("plain.in"));
}

TEST_F(pins_test, of_who_looks_on_are_no_ports_in_a_domain) {
  clock_domain domain("domain", period());
  top_level_scope scope(&domain);
  onlooker fast("fast");
  EXPECT_STREQ(fast.in.name(), "fast.in");
  EXPECT_EQ(sc_core::sc_find_object("fast.in"), nullptr);
  EXPECT_NE(refusal_of([&] {
              static_cast<void>(static_cast<sc_core::sc_in<bool>&>(fast.in));
            }).find("fast.in has no port"),
            std::string::npos);
  wire<bool> wires(domain);
  with_onlooker around("around");
  fast.in(wires);
  for (watch_input<bool>* const bound : {&fast.in, &around.block.in}) {  // to a channel, and to a parent
    const std::string expected = std::string(bound->name()) + " is bound twice";
    EXPECT_NE(refusal_of([&] { bound->bind(wires); }).find(expected), std::string::npos);
    EXPECT_NE(refusal_of([&] { bound->bind(around.in); }).find(expected), std::string::npos);
  }
}

TEST_F(pins_test, of_who_looks_on_show_what_they_are_bound_to) {
  clock_domain domain("domain", period());
  top_level_scope scope(&domain);
  wire<bool> rst(domain), shown(domain);
  sc_core::sc_signal<bool> signal("signal");
  onlooker of_wire("of_wire"), of_signal("of_signal");
  with_onlooker inside("inside");
  for (onlooker* block : {&of_wire, &of_signal, &inside.block}) block->clk(domain), block->rst(rst);
  of_wire.in(shown), of_signal.in(signal), inside.in(shown);
  run(4);
  shown.write(true), signal.write(true);
  run(4);
  // They sleep until the wire is new; a signal does not tell.
  EXPECT_EQ(of_wire.seen, (std::vector<bool>{false, true}));
  EXPECT_EQ(inside.block.seen, (std::vector<bool>{false, true}));
  EXPECT_EQ(of_signal.seen, (std::vector<bool>{false, false, false, false, true, true, true, true}));
}

TEST_F(pins_test, of_who_looks_on_are_to_be_bound) {
  clock_domain domain("domain", period());
  top_level_scope scope(&domain);
  wire<bool> rst(domain);
  onlooker block("block");
  block.clk(domain), block.rst(rst);
  EXPECT_NE(refusal_of([] { run(1); }).find("block.in is not bound"), std::string::npos);
}
