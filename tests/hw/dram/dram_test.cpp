// A memory module with banks: its commands keep JEDEC's distances, told by rules written here once more;
// requests take the cycles that the distances add up to; and at the pins nothing is lost, whatever the order.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <spillway/hw/dram/dram_module.hpp>
#include <spillway/hw/endpoints/memory_module.hpp>
#include <support/feedback_bench.hpp>
#include <support/refusal.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

class dram_on : public sc_test, public testing::WithParamInterface<kernel> {};

struct given {
  std::uint64_t cycle;
  dram_command command;
  unsigned bank;
  std::uint32_t row;
};

// A module with a sender of requests and a receiver of replies.
struct dram_bench {
  bench b;
  event_log log;
  dram_module* front = nullptr;
  memory_module memory;
  sender& from;
  receiver& to;
  std::vector<given> commands;
  unsigned sent = 0;

  std::unique_ptr<memory_front> make_front(const dram_config& config) {
    auto made = std::make_unique<dram_module>("front", 5, config, log);
    front = made.get();
    return made;
  }
  dram_bench(kernel k, const dram_config& config, unsigned send = 100, unsigned take = 100,
             unsigned latency = 1, unsigned reply_length = 1)
      : b(k),
        memory("memory", 5, {latency, reply_length, 1, true}, make_front(config), log, nullptr, {}),
        from(b.make<sender>("from", send)),
        to(b.make<receiver>("to", take)) {
    for (clocked* const block : memory.blocks()) b.clock(*block);
    const any_link in = b.link("in"), out = b.link("out");
    from.out.bind(in), memory.in().bind(in);
    memory.out().bind(out), to.in.bind(out);
    front->on_command = [this](std::uint64_t cycle, dram_command command, unsigned bank, std::uint32_t row) {
      commands.push_back({cycle, command, bank, row});
    };
  }
  void ask(std::uint32_t access, bool write = false, unsigned length = 1, std::uint32_t source = 1) {
    for (unsigned i = 0; i < length; ++i) {
      from.todo.push_back(make_flit(source, 5, sent, i, length, 0));
      from.todo.back().payload = dram_access{access, write}.data();
    }
    ++sent;
  }
};

/// The distances between two commands, each written as the standards have it.
void expect_distances(const std::vector<given>& commands, const dram_timing& t) {
  const auto at_least = [](const given& a, const given& b, std::uint64_t cycles, const char* rule) {
    EXPECT_GE(b.cycle, a.cycle + cycles) << rule << " of banks " << a.bank << ", " << b.bank;
  };
  const auto is = [](const given& c, dram_command what) { return c.command == what; };
  const auto act = dram_command::activate, pre = dram_command::precharge, rd = dram_command::read,
             wr = dram_command::write;
  std::map<unsigned, std::int64_t> open;  // row by bank
  std::vector<given> activations;
  std::set<std::pair<std::uint64_t, std::uint64_t>> bus;  // first and last cycle of data
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const given& b = commands[i];
    if (i) at_least(commands[i - 1], b, 1, "one command a cycle");
    if (is(b, act)) {
      EXPECT_FALSE(open.count(b.bank)) << "a bank with an open row is opened";
      open[b.bank] = b.row;
      activations.push_back(b);
      if (activations.size() > 4) at_least(activations[activations.size() - 5], b, t.tFAW, "tFAW");
    } else {
      ASSERT_TRUE(open.count(b.bank)) << "no row is open";
      if (is(b, pre))
        open.erase(b.bank);
      else
        EXPECT_EQ(open[b.bank], b.row);
    }
    if (is(b, rd) || is(b, wr)) {
      const std::uint64_t first = b.cycle + (is(b, rd) ? t.tCL : t.tCWL);
      for (const auto& [from, to] : bus)
        EXPECT_TRUE(first > to || first + t.tCCD <= from) << "data meet on the bus";
      bus.emplace(first, first + t.tCCD - 1);
    }
    for (std::size_t j = i; j-- > 0 && commands[j].cycle + 200 > b.cycle;) {
      const given& a = commands[j];
      const std::uint64_t write_end = t.tCWL + t.tCCD;
      if (is(a, act) && is(b, act)) at_least(a, b, a.bank == b.bank ? t.tRAS + t.tRP : t.tRRD, "tRC, tRRD");
      if (is(a, rd) && is(b, rd)) at_least(a, b, t.tCCD, "tCCD");
      if (is(a, wr) && is(b, wr)) at_least(a, b, t.tCCD, "tCCD");
      if (is(a, wr) && is(b, rd)) at_least(a, b, write_end + t.tWTR, "tWTR");
      if (is(a, rd) && is(b, wr)) at_least(a, b, t.tRTW, "tRTW");
      if (a.bank != b.bank) continue;
      if (is(a, act) && (is(b, rd) || is(b, wr))) at_least(a, b, t.tRCD, "tRCD");
      if (is(a, act) && is(b, pre)) at_least(a, b, t.tRAS, "tRAS");
      if (is(a, pre) && is(b, act)) at_least(a, b, t.tRP, "tRP");
      if (is(a, rd) && is(b, pre)) at_least(a, b, t.tRTP, "tRTP");
      if (is(a, wr) && is(b, pre)) at_least(a, b, write_end + t.tWR, "tWR");
    }
  }
}

constexpr std::uint32_t next_bank = 32,
                        next_row = 32 * 16;  // accesses: to the row of the next bank; to the bank's next row

}  // namespace

TEST_P(dram_on, a_row_that_is_closed_open_or_another_takes_its_sum_of_distances) {
  const dram_timing t;
  dram_bench d(GetParam(), {});
  d.b.reset();
  std::vector<std::uint64_t> took;
  for (const std::uint32_t access : {0u, 5u, next_row, next_row + 1}) {
    d.ask(access);
    run(200);
    took.push_back(d.to.got.back().cycle - d.log.arrived.back().cycle);
  }
  const std::uint64_t hit = took[1];
  EXPECT_EQ(took[0], hit + t.tRCD) << "closed";
  EXPECT_EQ(took[2], hit + t.tRP + t.tRCD) << "another row is open";
  EXPECT_EQ(took[3], hit);
  // The read at once when it is taken, then its data; from there on as a module that answers after a latency
  // of 1.
  EXPECT_EQ(hit, t.tCL + t.tCCD + 2);
  counters all;
  d.memory.count(all);
  EXPECT_EQ(all["dram.row_hits"], 2);
  EXPECT_EQ(all["dram.activations"], 2);
}

TEST_P(dram_on, a_row_is_read_as_fast_as_the_bus_and_rows_of_a_bank_one_a_tRC) {
  const dram_timing t;
  dram_config config;
  config.queue = 200;
  config.in_order = true;
  dram_bench d(GetParam(), config);
  d.b.reset();
  for (std::uint32_t a = 0; a < 32; ++a) d.ask(a);
  run(400);
  ASSERT_EQ(d.to.got.size(), 32u);
  EXPECT_EQ(d.to.got[31].cycle - d.to.got[0].cycle, 31 * t.tCCD);
  for (std::uint32_t r = 0; r < 10; ++r) d.ask(next_row * (r + 1));
  run(1000);
  ASSERT_EQ(d.to.got.size(), 42u);
  EXPECT_EQ(d.to.got[41].cycle - d.to.got[32].cycle, 9 * t.tRC());
  expect_distances(d.commands, t);
}

TEST_P(dram_on, rows_of_all_banks_are_opened_four_in_a_window) {
  dram_timing t;
  t.tFAW = 40;
  dram_config config;
  config.timing = t;
  config.queue = 200;
  dram_bench d(GetParam(), config);
  d.b.reset();
  for (std::uint32_t bank = 0; bank < 16; ++bank) d.ask(next_bank * bank);
  run(600);
  ASSERT_EQ(d.to.got.size(), 16u);
  EXPECT_EQ(d.to.got[12].cycle - d.to.got[0].cycle, 3 * 40);
  expect_distances(d.commands, t);
}

TEST_P(dram_on, open_rows_go_first_but_none_waits_for_ever) {
  dram_config config;
  config.queue = 8;
  config.patience = 10;
  config.timing.tRTP = 1;  // the row could be closed between two reads
  dram_bench d(GetParam(), config);
  d.b.reset();
  d.ask(0);
  d.ask(next_row, false, 1, 2);  // the other row of the bank
  for (std::uint32_t a = 1; a < 31; ++a) d.ask(a);
  run(1500);
  ASSERT_EQ(d.to.got.size(), 32u);
  std::vector<std::uint32_t> order;
  for (const auto& p : d.to.got) order.push_back(p.data.destination);
  const auto at = std::find(order.begin(), order.end(), 2u) - order.begin();
  EXPECT_EQ(at, 11) << "ten pass it after the first";
  expect_distances(d.commands, config.timing);
}

// A write's data come sooner after it than a read's: where tRTW is short it is they that keep it back.
TEST_P(dram_on, data_of_reads_and_writes_do_not_meet_where_a_write_may_follow_at_once) {
  dram_config config;
  config.in_order = true;
  config.timing.tRTW = 1;
  dram_bench d(GetParam(), config);
  d.b.reset();
  for (std::uint32_t i = 0; i < 200; ++i) d.ask(i % 32, i % 2);
  run(6000);
  ASSERT_EQ(d.to.got.size(), 200u);
  expect_distances(d.commands, config.timing);
}

TEST_P(dram_on, in_order_each_waits_for_the_one_before) {
  dram_config config;
  config.in_order = true;
  dram_bench d(GetParam(), config);
  d.b.reset();
  for (std::uint32_t i = 0; i < 20; ++i) d.ask(i % 2 ? next_row : 0);
  run(3000);
  ASSERT_EQ(d.to.got.size(), 20u);
  for (std::uint32_t i = 0; i < 20; ++i) EXPECT_EQ(d.to.got[i].data.packet, i);
  EXPECT_EQ(d.to.got[19].cycle - d.to.got[1].cycle, 18 * config.timing.tRC());
}

TEST_P(dram_on, takes_no_more_than_its_queue_holds) {
  dram_config config;
  config.queue = 4;
  config.timing.tRCD = 100, config.timing.tRAS = 200;
  dram_bench d(GetParam(), config);
  d.b.reset();
  for (std::uint32_t i = 0; i < 20; ++i) d.ask(next_row * i, false, 2);
  run(80);
  EXPECT_EQ(d.log.arrived.size(), 8u) << "four requests of two flits";
  EXPECT_EQ(d.memory.held_flits(), 4u);
  run(20000);
  EXPECT_EQ(d.to.got.size(), 20u);
  EXPECT_EQ(d.memory.held_flits(), 0u);
  EXPECT_TRUE(d.b.violations.empty()) << d.b.first_violation();
}

TEST_P(dram_on, keeps_all_distances_and_loses_nothing_under_random_requests) {
  dice dice(static_cast<std::uint32_t>(GetParam()) + 11);
  dram_config config;
  config.queue = 1 + dice.below(24);
  config.patience = 5;
  config.closes = dice.below(2) == 1;
  config.geometry.banks = 4;
  config.geometry.columns = 8;
  config.geometry.hash = true;
  config.geometry.map = dram_geometry::order::row_column_bank;
  dram_bench d(GetParam(), config, 60, 70, 3, 2);
  d.b.reset();
  for (unsigned i = 0; i < 600; ++i)
    d.ask(dice.below(300), dice.below(3) == 0, 1 + dice.below(2), dice.below(5));
  run(30000);
  EXPECT_EQ(d.to.got.size(), 1200u);
  std::set<std::pair<std::uint32_t, std::uint32_t>> answered;
  for (const auto& p : d.to.got) answered.insert({p.data.destination, p.data.packet});
  EXPECT_EQ(answered.size(), 600u);
  EXPECT_EQ(d.memory.held_flits(), 0u);
  EXPECT_TRUE(d.b.violations.empty()) << d.b.first_violation();
  ASSERT_GT(d.commands.size(), 800u);
  expect_distances(d.commands, config.timing);
  counters all;
  d.memory.count(all);
  EXPECT_EQ(all["dram.reads"] + all["dram.writes"], 600);
  EXPECT_GT(all["dram.writes"], 100);
  EXPECT_EQ(all["dram.reads"] + all["dram.writes"] - all["dram.row_hits"] <= all["dram.activations"], true);
}

TEST_P(dram_on, refreshes_all_banks_when_it_is_time_and_loses_nothing) {
  dram_config config;
  config.timing.tREFI = 400;
  config.timing.tRFC = 90;
  dram_bench d(GetParam(), config, 60);
  dice random(3);
  for (unsigned i = 0; i < 400; ++i) d.ask(random.below(1u << 14), random.percent(30));
  d.b.reset();
  run(8000);
  EXPECT_EQ(d.to.got.size(), 400u);
  std::set<unsigned> open;
  std::uint64_t last = 0, refreshes = 0, closed = 0;
  for (const given& c : d.commands) {
    if (c.command == dram_command::activate) {
      open.insert(c.bank);
      if (refreshes) {
        EXPECT_GE(c.cycle, last + 90) << "tRFC";
      }
    }
    if (c.command == dram_command::precharge) open.erase(c.bank), closed = c.cycle;
    if (c.command != dram_command::refresh) continue;
    EXPECT_TRUE(open.empty()) << "a row is open";
    EXPECT_GE(c.cycle, closed + config.timing.tRP);
    last = c.cycle;
    ++refreshes;
    const std::uint64_t due = 400 * refreshes;
    EXPECT_GE(c.cycle, due);
    EXPECT_LE(c.cycle, due + 2 + config.timing.tRAS + config.timing.tWR + config.timing.tCWL + 4 + 16 + 14);
  }
  EXPECT_GE(refreshes, 19u);
  EXPECT_LE(refreshes, 20u);
  std::vector<given> others;
  for (const given& c : d.commands)
    if (c.command != dram_command::refresh) others.push_back(c);
  expect_distances(others, config.timing);
  counters all;
  d.memory.count(all);
  EXPECT_EQ(all["dram.refreshes"], static_cast<double>(refreshes));
}

TEST_P(dram_on, a_closed_page_has_no_row_open_after_a_rest) {
  dram_config config;
  config.closes = true;
  dram_bench d(GetParam(), config);
  d.b.reset();
  d.ask(0), d.ask(next_bank);
  run(200);
  unsigned opened = 0, closed = 0;
  for (const given& g : d.commands) {
    opened += g.command == dram_command::activate;
    closed += g.command == dram_command::precharge;
  }
  EXPECT_EQ(opened, 2u);
  EXPECT_EQ(closed, 2u);
}

TEST_P(dram_on, a_reset_throws_away_what_waits_and_counts_it) {
  dram_config config;
  config.queue = 16;
  dram_bench d(GetParam(), config, 100, 100, 3, 2);
  d.b.reset();
  for (unsigned i = 0; i < 60; ++i) d.ask(next_row * i);
  run(120);
  const std::size_t taken = d.log.arrived.size();
  ASSERT_GT(taken, 10u);
  d.b.reset(1);
  EXPECT_EQ(d.memory.lost_in_reset() + d.to.got.size(), 2 * taken);
  EXPECT_EQ(d.memory.held_flits(), 0u);
  const std::size_t answered = d.to.got.size();
  run(6000);
  EXPECT_EQ(d.to.got.size() - answered, 2 * (d.log.arrived.size() - taken)) << "and goes on after it";
}

TEST_P(dram_on, a_reset_closes_all_rows) {
  dram_bench d(GetParam(), {});
  d.b.reset();
  d.ask(0);
  run(100);
  ASSERT_EQ(d.to.got.size(), 1u);
  d.b.reset(1);
  d.commands.clear();
  d.ask(1);
  run(100);
  ASSERT_EQ(d.to.got.size(), 2u);
  ASSERT_FALSE(d.commands.empty());
  EXPECT_EQ(d.commands[0].command, dram_command::activate);
  counters all;
  d.memory.count(all);
  EXPECT_EQ(all["dram.row_hits"], 0);
}

TEST_P(dram_on, after_a_reset_no_row_waits_for_those_of_before_it) {
  dram_config config;
  config.timing.tFAW = 400;
  dram_bench d(GetParam(), config);
  d.b.reset();
  for (std::uint32_t bank = 0; bank < 4; ++bank) d.ask(next_bank * bank);
  run(100);
  ASSERT_EQ(d.to.got.size(), 4u) << "as many as a window has";
  d.b.reset(1);
  d.ask(0);
  run(100);
  EXPECT_EQ(d.to.got.size(), 5u);
}

TEST_P(dram_on, a_reset_begins_the_time_to_the_next_refresh_anew) {
  dram_config config;
  config.timing.tREFI = 400;
  config.timing.tRFC = 90;
  dram_bench d(GetParam(), config);
  d.b.reset();
  run(300);
  d.b.reset();  // at cycles 302 and 303
  run(500);
  ASSERT_EQ(d.commands.size(), 1u);
  EXPECT_EQ(d.commands[0].command, dram_command::refresh);
  EXPECT_EQ(d.commands[0].cycle, 303u + 400);
}

TEST_P(dram_on, counts_the_cycles_in_which_its_queue_is_full_up_to_a_reset) {
  dram_config config;
  config.queue = 4;
  config.timing.tRCD = 100, config.timing.tRAS = 200;
  dram_bench d(GetParam(), config);
  d.b.reset();
  for (std::uint32_t i = 0; i < 4; ++i) d.ask(next_row * i);
  const auto full = [&d] {
    counters all;
    d.memory.count(all);
    return all["dram.full_cycles"];
  };
  run(60);
  const double before = full();
  const std::uint64_t last = d.log.arrived.back().cycle;
  EXPECT_EQ(before, 62 - last) << "from the cycle of the fourth request on";
  d.b.reset();
  run(20);
  EXPECT_EQ(full(), before);
}

INSTANTIATE_TEST_SUITE_P(kernels, dram_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });

TEST(dram_geometry, every_access_has_a_place_of_its_own) {
  for (const auto order : {dram_geometry::order::row_bank_column, dram_geometry::order::row_column_bank})
    for (const bool hash : {false, true}) {
      dram_geometry g;
      g.banks = 4, g.columns = 8, g.map = order, g.hash = hash;
      std::map<std::pair<unsigned, std::uint32_t>, unsigned> rows;
      for (std::uint32_t a = 0; a < 4 * 8 * 50; ++a) {
        const dram_place p = g.place(a);
        EXPECT_LT(p.bank, 4u);
        ++rows[{p.bank, p.row}];
      }
      EXPECT_EQ(rows.size(), 200u);
      for (const auto& one : rows) EXPECT_EQ(one.second, 8u);
      EXPECT_EQ(g.place(0).bank == g.place(1).bank, order == dram_geometry::order::row_bank_column);
      EXPECT_EQ(g.place(0).bank == g.place(32).bank, !hash) << "a row further";
    }
}

TEST(dram_config_test, is_of_a_memory_that_answers) {
  event_log log;
  const memory_config silent{1, 1, 1, false};
  EXPECT_EQ(refusal<std::invalid_argument>([&] {
              memory_module("memory", 5, silent,
                            std::make_unique<dram_module>("front", 5, dram_config{}, log), log, nullptr, {});
            }),
            "such a memory answers: expected replies");
}

TEST(dram_config_test, names_the_distance_that_is_0) {
  const std::pair<const char*, unsigned dram_timing::*> distances[] = {
      {"tRCD", &dram_timing::tRCD}, {"tRP", &dram_timing::tRP},   {"tCL", &dram_timing::tCL},
      {"tCWL", &dram_timing::tCWL}, {"tRAS", &dram_timing::tRAS}, {"tCCD", &dram_timing::tCCD},
      {"tRRD", &dram_timing::tRRD}};
  for (const auto& [name, cycles] : distances) {
    dram_timing t;
    t.*cycles = 0;
    EXPECT_EQ(refusal<std::invalid_argument>([&] { t.check(); }),
              std::string(name) + " is at least 1 cycle, found 0");
    t = {};
    t.*cycles = 1;
    EXPECT_EQ(refusal([&] { t.check(); }).find("found 0"), std::string::npos) << name;
  }
}

TEST(dram_config_test, names_what_is_wrong) {
  const auto wrong = [](auto change) {
    dram_config c;
    change(c);
    EXPECT_THROW(c.check(), std::invalid_argument);
  };
  wrong([](dram_config& c) { c.geometry.banks = 12; });
  wrong([](dram_config& c) { c.geometry.columns = 0; });
  wrong([](dram_config& c) { c.queue = 0; });
  wrong([](dram_config& c) { c.timing.tRAS = c.timing.tRCD - 1; });
  dram_config short_rows;
  short_rows.timing.tRAS = short_rows.timing.tRCD;
  EXPECT_NO_THROW(short_rows.check());
  wrong([](dram_config& c) { c.timing.tREFI = c.timing.tRFC + c.timing.tRP + c.timing.tRAS; });
  wrong([](dram_config& c) { c.timing.tREFI = 400, c.timing.tRFC = ~0u; });  // together more than 2^32
}
