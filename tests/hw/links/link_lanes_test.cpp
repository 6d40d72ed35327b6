// Ends of a packet link that do not agree on its lanes are refused when they are bound.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <spillway/hw/adapters/clock_crossing.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/links/link_pipeline.hpp>
#include <spillway/hw/packet/buffer_pool.hpp>
#include <spillway/hw/packet/fifo_queue.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;
using testing::HasSubstr;

namespace {

/// A block with an end of each sort.
struct ends : sc_core::sc_module {
  packet_in in{"in"};
  packet_out out{"out"};
  ends(const sc_core::sc_module_name& name, unsigned in_lanes, unsigned out_lanes) : sc_module(name) {
    in.lanes().declare(in_lanes), out.lanes().declare(out_lanes);
  }
};

/// A module around one, whose own ports say nothing.
struct shell : sc_core::sc_module {
  packet_in in{"in"};
  packet_out out{"out"};
  ends inner;
  shell(const sc_core::sc_module_name& name, unsigned in_lanes, unsigned out_lanes)
      : sc_module(name), inner("inner", in_lanes, out_lanes) {
    inner.in.bind(in), inner.out.bind(out);
  }
};

struct modulo : routing {
  port_mask outputs(unsigned, unsigned, const flit& f) const override {
    return port_mask{1} << f.destination % 2;
  }
};

std::unique_ptr<buffer_pool> make_pool(const char* name, buffering b, unsigned next_lanes = 1) {
  buffer_pool_config config;
  config.organisation = b;
  return std::make_unique<buffer_pool>(name, config, 0, std::make_shared<modulo>(),
                                       std::vector<link_end>(2, link_end{1, 0, next_lanes, false}));
}

/// What binding the two ends says; empty: nothing.
template <class From, class To>
std::string complaint(From& from, To& to) {
  auto* const wires = new packet_signals("wires");  // as long as the simulation
  try {
    from.bind(*wires), to.bind(*wires);
  } catch (const sc_core::sc_report& report) {
    return report.what();
  }
  return {};
}

class lanes_test : public sc_test {};

}  // namespace

TEST_F(lanes_test, ends_that_say_nothing_agree) {
  ends a("a", 1, 1), b("b", 1, 1);
  EXPECT_EQ(complaint(a.out, b.in), "");
}

TEST_F(lanes_test, ends_of_the_same_number_agree) {
  ends a("a", 1, 4), b("b", 4, 1);
  EXPECT_EQ(complaint(a.out, b.in), "");
}

TEST_F(lanes_test, a_sender_of_one_lane_does_not_fit_a_receiver_of_four) {
  ends a("a", 1, 1), b("b", 4, 1);
  EXPECT_THAT(
      complaint(a.out, b.in),
      HasSubstr("a.out_valid sends in lane 0 alone, b.in_valid at the other end of the link takes flits in "
                "4 lanes"));
}

TEST_F(lanes_test, nor_the_other_way_whoever_is_bound_first) {
  ends a("a", 1, 4), b("b", 1, 1);
  EXPECT_THAT(complaint(b.in, a.out), HasSubstr("a.out_valid sends in 4 lanes, b.in_valid"));
}

TEST_F(lanes_test, modules_around_speak_for_what_is_in_them) {
  shell a("a", 1, 4), b("b", 2, 1), c("c", 4, 1);
  EXPECT_THAT(complaint(a.out, b.in), HasSubstr("a.inner.out_valid sends in 4 lanes, b.inner.in_valid"));
  shell d("d", 1, 4);
  EXPECT_EQ(complaint(d.out, c.in), "");
}

TEST_F(lanes_test, register_stages_speak_for_the_other_side) {
  ends a("a", 1, 4), b("b", 2, 1);
  link_pipeline stages("stages", {2, 0});
  EXPECT_EQ(complaint(a.out, stages.in), "");
  EXPECT_THAT(complaint(stages.out, b.in), HasSubstr("a.out_valid sends in 4 lanes, b.in_valid"));
}

TEST_F(lanes_test, switches_with_queues_by_output_refuse_who_does_not_look_ahead) {
  auto pool = make_pool("pool", buffering::voq);
  clock_crossing link("link", 4);
  fifo_queue queue("queue", 2);
  EXPECT_THAT(complaint(link.out, pool->in[0]), HasSubstr("lane 0 alone"));
  EXPECT_THAT(complaint(queue.out, pool->in[1]), HasSubstr("lane 0 alone"));
  clock_crossing with_routes("with_routes", 4, std::make_shared<modulo>(), link_end{0, 0, 2, false});
  auto other = make_pool("other", buffering::output);
  EXPECT_EQ(complaint(with_routes.out, other->in[0]), "");
}

TEST_F(lanes_test, who_looks_ahead_is_refused_by_one_queue) {
  auto pool = make_pool("pool", buffering::fifo, 2);
  clock_crossing link("link", 4);
  EXPECT_THAT(complaint(pool->out[0], link.in), HasSubstr("pool.out0_valid sends in 2 lanes"));
}

TEST_F(lanes_test, a_checker_knows_the_lanes_of_its_link) {
  bench b(testing_support::kernel::signals);
  packet_signals wires("wires");
  ends a("a", 1, 4);
  a.in.bind(*new packet_signals("open"));
  a.out.bind(wires);
  std::vector<std::string> said;
  auto& check = b.make<packet_checker>("check", packet_checker_config{},
                                       [&](const violation& v) { said.push_back(v.message); });
  check.bind(wires);
  b.reset();
  run(1);
  for (const unsigned lane : {3u, 4u}) {
    wires.data.write(make_flit(1, 2, lane, 0, 1, lane)), wires.valid.write(true),
        wires.ready.write(~lane_mask{0});
    run(1);
    wires.valid.write(false);
    run(1);
  }
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("lane 4 is shown, the link has 4 lanes"));
}

TEST_F(lanes_test, so_does_a_watcher_of_wires) {
  clock_domain domain("domain", period());
  packet_wires wires(domain), open(domain);
  wire<bool> reset(domain);
  std::vector<std::string> said;
  packet_checker_config rules;
  rules.link = "a_link";
  packet_watcher watcher(wires, reset, rules, [&](const violation& v) { said.push_back(v.message); });
  ends a("a", 1, 4);
  a.in.bind(open);
  a.out.bind(wires);
  wires.ready.write(~lane_mask{0});
  for (const unsigned lane : {3u, 4u}) {
    wires.data.write(make_flit(1, 2, lane, 0, 1, lane)), wires.valid.write(true);
    run(1);
    wires.valid.write(false);
    run(1);
  }
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("PL5 broken on a_link at cycle 2"));
  EXPECT_THAT(said[0], HasSubstr("lane 4 is shown, the link has 4 lanes"));
}

namespace {

/// Two clocks with a crossing in front of a switch with a queue an output.
TEST_F(lanes_test, a_crossing_chooses_the_queue_of_a_switch) {
  bench left(testing_support::kernel::signals, "left");
  auto routes = std::make_shared<modulo>();
  auto& from = left.make<sender>("from");
  auto pool = make_pool("pool", buffering::voq);
  clock_crossing link("link", 8, routes, link_end{0, 0, 2, false});
  sc_core::sc_clock clock("clock", 7, sc_core::SC_NS);
  sc_core::sc_signal<bool> rst("rst");
  link.in_clk(from.clk), link.in_rst(from.rst), link.out_clk(clock), link.out_rst(rst);
  pool->clk(clock), pool->rst(rst);
  packet_signals a("a"), c("c"), other("other");
  from.out.bind(a), link.in.bind(a), link.out.bind(c), pool->in[0].bind(c), pool->in[1].bind(other);
  packet_signals out0("out0"), out1("out1");
  receiver to0("to0"), to1("to1");
  pool->out[0].bind(out0), to0.in.bind(out0), pool->out[1].bind(out1), to1.in.bind(out1);
  for (receiver* const r : {&to0, &to1}) r->clk(clock), r->rst(rst);
  for (unsigned p = 0; p < 40; ++p) from.add_packet(0, p % 3, p, 1);
  left.rst(true), rst.write(true);
  run(5);
  left.rst(false), rst.write(false);
  run(200);
  EXPECT_EQ(to0.got.size(), 27u);
  EXPECT_EQ(to1.got.size(), 13u);
  for (const passage& p : to0.got) EXPECT_EQ(p.data.destination % 2, 0u);
  for (const passage& p : to1.got) EXPECT_EQ(p.data.destination % 2, 1u);
}

}  // namespace
