#include <gtest/gtest.h>

#include <memory>
#include <spillway/hw/kernel/process.hpp>
#include <string>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

struct clock_scope_test : sc_test {};

// A design of a user's own: says what its blocks are clocked by, at the top and within an inner module.
struct design : sc_core::sc_module, clock_scope {
  struct inner : sc_core::sc_module {
    std::unique_ptr<packet_link> l;
    explicit inner(const sc_core::sc_module_name& name)
        : sc_module(name), l(std::make_unique<packet_link>(link_place{"inner_link"})) {}
  };

  clock_domain* const by;
  std::unique_ptr<packet_link> l;
  std::unique_ptr<inner> in;
  std::unique_ptr<sender> from;
  std::unique_ptr<receiver> to;

  design(const sc_core::sc_module_name& name, clock_domain* clock) : sc_module(name), by(clock) {
    l = std::make_unique<packet_link>(link_place{"link"});
    in = std::make_unique<inner>("inner");
    from = std::make_unique<sender>("from");
    to = std::make_unique<receiver>("to");
    l->connect(from->out), l->connect(to->in);
  }
  clock_domain* domain() const override { return by; }

  template <class Clock, class Reset>
  void clock(Clock& clk, Reset& rst) {
    from->clk(clk), from->rst(rst), to->clk(clk), to->rst(rst);
  }
};

// Of a link that is made of sc_signals, SystemC knows one of that name.
bool is_made_of_signals(const char* signal) { return sc_core::sc_find_object(signal) != nullptr; }

}  // namespace

TEST_F(clock_scope_test, makes_links_of_what_the_module_around_them_says) {
  sc_core::sc_clock clk("clk", period(), 0.5, period() / 2);
  sc_core::sc_signal<bool> rst("rst");
  clock_domain domain("domain", period());
  wire<bool> fast_rst(domain);
  design fast("fast", &domain), signals("signals", nullptr);
  EXPECT_TRUE(is_made_of_signals("signals.link_valid"));
  EXPECT_TRUE(is_made_of_signals("signals.inner.inner_link_valid"));
  EXPECT_FALSE(is_made_of_signals("fast.link_valid"));
  EXPECT_FALSE(is_made_of_signals("fast.inner.inner_link_valid"));
  fast.clock(domain, fast_rst), signals.clock(clk, rst);
  for (design* const d : {&fast, &signals}) d->from->add_packet(1, 2, 3, 4);
  run(20);
  EXPECT_EQ(fast.to->got.size(), 4u);
  EXPECT_EQ(fast.to->got, signals.to->got);
}

TEST_F(clock_scope_test, speaks_for_the_top_level_while_it_lives) {
  clock_domain domain("domain", period());
  EXPECT_EQ(domain_here(), nullptr);
  {
    const top_level_scope scope(&domain);
    EXPECT_EQ(domain_here(), &domain);
    EXPECT_THROW(top_level_scope(nullptr), sc_core::sc_report);
    EXPECT_EQ(domain_here(), &domain);
  }
  EXPECT_EQ(domain_here(), nullptr);
}

TEST_F(clock_scope_test, refuses_to_speak_for_the_top_level_within_a_module) {
  struct inside : sc_core::sc_module {
    explicit inside(const sc_core::sc_module_name& name) : sc_module(name) {
      EXPECT_THROW(top_level_scope(nullptr), sc_core::sc_report);
    }
  };
  inside module("module");
}

TEST_F(clock_scope_test, refuses_a_block_on_another_clock_than_that_of_its_place) {
  clock_domain domain("domain", period()), other("other", period());
  wire<bool> rst(other);
  design d("d", &domain);
  d.clock(other, rst);
  try {
    run(1);
    ADD_FAILURE() << "it was let pass";
  } catch (const sc_core::sc_report& report) {
    const std::string what = report.what();
    EXPECT_NE(what.find("d."), std::string::npos) << what;
    EXPECT_NE(what.find("'domain'"), std::string::npos) << what;
    EXPECT_NE(what.find("'other'"), std::string::npos) << what;
  }
}

TEST_F(clock_scope_test, refuses_a_block_on_an_sc_clock_where_a_domain_is_named) {
  clock_domain domain("domain", period());
  sc_core::sc_clock clk("clk", period(), 0.5, period() / 2);
  sc_core::sc_signal<bool> rst("rst");
  design d("d", &domain);
  d.clock(clk, rst);
  EXPECT_THROW(run(1), sc_core::sc_report);
}

TEST_F(clock_scope_test, refuses_a_process_that_takes_a_domain_for_a_clock) {
  struct foreign : sc_core::sc_module {
    sc_core::sc_in<bool> clk{"clk"};
    explicit foreign(const sc_core::sc_module_name& name) : sc_module(name) {
      SPILLWAY_HAS_PROCESS(foreign);
      SC_METHOD(at_edge);
      sensitive << clk.pos();
    }
    void at_edge() {}
  };
  clock_domain domain("domain", period());
  foreign f("f");
  f.clk.bind(domain);
  try {
    run(1);
    ADD_FAILURE() << "it was let pass, and would never run";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), "spillway/clock_domain");
  }
}
