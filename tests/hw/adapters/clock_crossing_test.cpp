// A link between two clocks: on sc_signals and between two clock domains, and with a reset of one side.
#include <gtest/gtest.h>

#include <spillway/hw/adapters/clock_crossing.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;
using sc_core::SC_NS;
using sc_core::sc_time;

namespace {

/// A clock, or a clock domain, with its reset.
struct side {
  std::unique_ptr<sc_core::sc_clock> clock;
  std::unique_ptr<clock_domain> domain;
  sc_core::sc_signal<bool> rst;

  side(kernel k, const std::string& name, double period) : rst((name + "_rst").c_str()) {
    const sc_time t(period, SC_NS);
    if (k == kernel::fast)
      domain = std::make_unique<clock_domain>((name + "_domain").c_str(), t);
    else
      clock = std::make_unique<sc_core::sc_clock>((name + "_clock").c_str(), t, 0.5, t / 2);
  }
  template <class Clk, class Rst>
  void drive(Clk& clk_pin, Rst& rst_pin) {
    if (domain)
      clk_pin(*domain);
    else
      clk_pin(*clock);
    rst_pin(rst);
  }
};

struct two_clocks {
  side left, right;
  packet_signals l_in{"l_in"}, l_out{"l_out"};
  clock_crossing link;
  sender from;
  receiver to;
  packet_checker check_in, check_out;

  two_clocks(kernel k, double from_period, double to_period, unsigned depth, unsigned send, unsigned take,
             const packet_checker_config& rules = {})
      : left(k, "left", from_period),
        right(k, "right", to_period),
        link("link", depth),
        from("from", send),
        to("to", take),
        check_in("check_in", rules),
        check_out("check_out", rules) {
    left.drive(link.in_clk, link.in_rst), right.drive(link.out_clk, link.out_rst);
    left.drive(from.clk, from.rst), right.drive(to.clk, to.rst);
    left.drive(check_in.clk, check_in.rst), right.drive(check_out.clk, check_out.rst);
    from.out.bind(l_in), link.in.bind(l_in), check_in.bind(l_in);
    link.out.bind(l_out), to.in.bind(l_out), check_out.bind(l_out);
  }
  void reset(bool l, bool r) {
    left.rst.write(l), right.rst.write(r);
    sc_core::sc_start(300, SC_NS);
    left.rst.write(false), right.rst.write(false);
  }
};

struct clock_crossing_alone : sc_test {};

TEST_F(clock_crossing_alone, has_room_for_a_flit_or_more) {
  EXPECT_THROW(clock_crossing("none", 0), std::invalid_argument);
  two_clocks t(kernel::signals, 10, 7, 1, 100, 100);
  for (unsigned p = 0; p < 20; ++p) t.from.add_packet(1, 2, p, 1);
  t.reset(true, true);
  sc_core::sc_start(10, sc_core::SC_US);
  EXPECT_EQ(t.to.got.size(), 20u);
}

// Its halves write signals, which one thread alone may do.
TEST_F(clock_crossing_alone, keeps_one_thread_in_the_clock_domains_of_both_sides) {
  clock_domain left("left", sc_time(10, SC_NS)), right("right", sc_time(7, SC_NS));
  left.use_threads(2), right.use_threads(2);
  wire<bool> left_rst(left), right_rst(right);
  packet_wires l_in(left), l_out(right);
  clock_crossing link("link", 8);
  sender from("from");
  receiver to("to");
  from.clk(left), from.rst(left_rst), link.in_clk(left), link.in_rst(left_rst);
  to.clk(right), to.rst(right_rst), link.out_clk(right), link.out_rst(right_rst);
  from.out.bind(l_in), link.in.bind(l_in), link.out.bind(l_out), to.in.bind(l_out);
  from.add_packet(1, 2, 3);
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(to.got.size(), 1u);
  EXPECT_EQ(left.threads(), 1u);
  EXPECT_EQ(right.threads(), 1u);
  const std::string why = " reaches beyond its clock domain: to signals, sockets or another domain";
  EXPECT_EQ(left.why_fewer(), "link.writer" + why);
  EXPECT_EQ(right.why_fewer(), "link.reader" + why);
}

struct crossing : sc_test, testing::WithParamInterface<std::tuple<kernel, double, double>> {};

}  // namespace

TEST_P(crossing, keeps_every_flit_and_their_order) {
  const auto [k, a, b] = GetParam();
  two_clocks t(k, a, b, 5, 80, 70);
  for (unsigned p = 0; p < 100; ++p) t.from.add_packet(1, 2, p, 1 + p % 4);
  std::vector<flit> sent(t.from.todo.begin(), t.from.todo.end());
  t.reset(true, true);
  sc_core::sc_start(50, sc_core::SC_US);
  ASSERT_EQ(t.to.got.size(), sent.size());
  for (std::size_t i = 0; i < sent.size(); ++i) ASSERT_EQ(t.to.got[i].data, sent[i]) << i;
  EXPECT_EQ(t.link.level(), 0u);
  EXPECT_EQ(t.link.lost_in_reset(), 0u);
}

TEST_P(crossing, a_reset_of_one_side_empties_it_and_it_works_on) {
  const auto [k, a, b] = GetParam();
  two_clocks t(k, a, b, 8, 100, 40);
  for (unsigned p = 0; p < 4000; ++p) t.from.add_packet(1, 2, p, 1);
  t.reset(true, true);
  for (const bool left : {true, false}) {
    sc_core::sc_start(2, sc_core::SC_US);
    const std::size_t before = t.to.got.size();
    t.reset(left, !left);
    sc_core::sc_start(2, sc_core::SC_US);
    EXPECT_GT(t.to.got.size(), before + 20);
  }
  t.from.todo.clear();
  EXPECT_GT(t.link.lost_in_reset(), 0u);
  for (std::size_t i = 1; i < t.to.got.size(); ++i)
    ASSERT_GT(t.to.got[i].data.packet, t.to.got[i - 1].data.packet) << i;
}

// However long it waits to be taken, and however many flits of before the reset were taken: 0, and some.
TEST_P(crossing, the_flit_that_is_shown_stays_through_a_reset_of_the_writer_and_the_crossing_works_on) {
  const auto [k, a, b] = GetParam();
  two_clocks t(k, a, b, 8, 100, 0);
  for (unsigned p = 0; p < 4000; ++p) t.from.add_packet(1, 2, p, 1);
  for (const std::size_t taken : {0u, 5u}) {
    t.to.rate = 0;
    t.reset(true, true);
    t.to.rate = taken ? 100 : 0;
    const std::size_t first = t.to.got.size();
    while (t.to.got.size() < first + taken) sc_core::sc_start(1, SC_NS);
    t.to.rate = 0;
    sc_core::sc_start(1, sc_core::SC_US);
    const std::size_t before = t.to.got.size();
    ASSERT_TRUE(t.l_out.valid.read());
    const flit shown = t.l_out.data.read();
    const std::uint32_t written = t.from.sent.back().data.packet;
    t.reset(true, false);
    sc_core::sc_start(1, sc_core::SC_US);
    EXPECT_TRUE(t.l_out.valid.read());
    EXPECT_EQ(t.l_out.data.read(), shown);
    EXPECT_EQ(t.to.got.size(), before);
    t.to.rate = 100;
    sc_core::sc_start(2, sc_core::SC_US);
    ASSERT_GT(t.to.got.size(), before + 20);
    EXPECT_EQ(t.to.got[before].data, shown);
    EXPECT_GT(t.to.got[before + 1].data.packet, written) << "what was written before the reset is lost";
    EXPECT_LE(t.link.level(), 8u);
  }
  t.from.todo.resize(10);
  sc_core::sc_start(2, sc_core::SC_US);
  EXPECT_EQ(t.link.level(), 0u);
  EXPECT_EQ(t.from.sent.size(), t.to.got.size() + t.link.lost_in_reset());
}

// Each side hears of the other, and of a flit, through two registers.
TEST_P(crossing, goes_on_a_few_edges_after_a_reset_of_one_side) {
  const auto [k, a, b] = GetParam();
  two_clocks t(k, a, b, 8, 100, 100);
  for (unsigned p = 0; p < 4000; ++p) t.from.add_packet(1, 2, p, 1);
  t.reset(true, true);
  for (const bool left : {true, false}) {
    sc_core::sc_start(2, sc_core::SC_US);
    t.reset(left, !left);
    const std::size_t before = t.to.got.size();
    unsigned took = 0;
    for (; t.to.got.size() == before && took < 1000; ++took) sc_core::sc_start(1, SC_NS);
    EXPECT_LE(took, 3 * a + 4 * b) << (left ? "writer" : "reader");
  }
}

// Packets of several flits, and resets of either side or both at any moment, so that packets are cut half
// across.
TEST_P(crossing, nothing_from_before_a_reset_comes_after_it) {
  const auto [k, a, b] = GetParam();
  packet_checker_config rules;
  rules.contiguous = false;  // looked at below
  two_clocks t(k, a, b, 6, 90, 60, rules);
  dice d(7);
  for (unsigned p = 0; p < 6000; ++p) t.from.add_packet(1, 2, p, 1 + d.below(5));
  t.reset(true, true);
  const auto place = [](const passage& p) { return p.data.packet * 8 + p.data.index; };
  std::size_t checked = 0, rests = 0;
  for (unsigned pulse = 0; pulse < 120; ++pulse) {
    sc_core::sc_start((300.0 + d.below(300)) * sc_time(1, SC_NS));
    const unsigned sides = 1 + d.below(3);
    const std::uint32_t before = t.from.sent.empty() ? 0 : place(t.from.sent.back());
    t.reset(sides & 1, sides & 2);
    const std::size_t first = t.to.got.size();
    sc_core::sc_start(500, SC_NS);
    // Where only the writer was reset, the flit that is shown stays until it is taken.
    std::size_t i = first;
    if (sides == 1 && i < t.to.got.size() && place(t.to.got[i]) <= before) ++i;
    if (i < t.to.got.size()) {
      ++checked;
      ASSERT_GT(place(t.to.got[i]), before) << "after reset " << pulse;
      ASSERT_TRUE(t.to.got[i].data.head()) << "after reset " << pulse << ": the rest of a packet";
      if (i) rests += !t.to.got[i - 1].data.tail();
    }
    for (++i; i < t.to.got.size(); ++i) {
      ASSERT_GT(place(t.to.got[i]), place(t.to.got[i - 1]));
      if (t.to.got[i].data.head()) continue;
      ASSERT_EQ(place(t.to.got[i]), place(t.to.got[i - 1]) + 1) << "a gap";
    }
  }
  EXPECT_GT(checked, 60u);
  EXPECT_GT(rests, 5u) << "packets must be cut";
  t.from.todo.resize(10);
  sc_core::sc_start(2, sc_core::SC_US);
  EXPECT_EQ(t.link.level(), 0u);
  EXPECT_EQ(t.from.sent.size(), t.to.got.size() + t.link.lost_in_reset());
}

TEST_P(crossing, takes_no_flit_of_a_lane_that_it_has_not) {
  const auto [k, a, b] = GetParam();
  packet_checker_config rules;
  rules.known = false;  // such a flit is shown on purpose
  two_clocks t(k, a, b, 5, 100, 100, rules);
  t.from.add_packet(1, 2, 0, 1, 2);
  t.reset(true, true);
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_TRUE(t.from.sent.empty());
  EXPECT_TRUE(t.to.got.empty());
  EXPECT_EQ(t.link.level(), 0u);
}

TEST_P(crossing, full_rate_of_the_slower_clock) {
  const auto [k, a, b] = GetParam();
  two_clocks t(k, a, b, 16, 100, 100);
  for (unsigned p = 0; p < 5000; ++p) t.from.add_packet(1, 2, p, 1);
  t.reset(true, true);
  sc_core::sc_start(1, sc_core::SC_US);
  const std::size_t before = t.to.got.size();
  sc_core::sc_start(10, sc_core::SC_US);
  const double slower = std::max(a, b);
  EXPECT_NEAR(static_cast<double>(t.to.got.size() - before), 10000 / slower, 5);
}

INSTANTIATE_TEST_SUITE_P(
    clocks, crossing,
    testing::Values(std::make_tuple(kernel::signals, 10.0, 7.0), std::make_tuple(kernel::signals, 7.0, 10.0),
                    std::make_tuple(kernel::signals, 10.0, 10.0), std::make_tuple(kernel::signals, 3.0, 31.0),
                    std::make_tuple(kernel::signals, 6.0, 10.0),  // every third and fifth edge coincide
                    std::make_tuple(kernel::fast, 10.0, 7.0), std::make_tuple(kernel::fast, 7.0, 10.0),
                    std::make_tuple(kernel::fast, 10.0, 10.0), std::make_tuple(kernel::fast, 6.0, 10.0),
                    std::make_tuple(kernel::fast, 10.0, 6.0)));
