// Whole platforms of processors and memories: every request gets exactly one reply, on both kernels alike.
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <support/link_bench.hpp>
#include <support/topologies.hpp>
#include <tuple>

using namespace spillway;
using testing_support::dice;
using testing_support::sc_test;

namespace {

constexpr unsigned terminals = 16;
using nlohmann::json;

// So many requests in random cycles, a third of them to module 3, which may be combined if they have one
// flit.
class random_supply : public packet_supply {
public:
  random_supply(unsigned terminal, unsigned requests, unsigned longest)
      : dice_(terminal + 1), left_(requests), longest_(longest) {}
  std::uint64_t due(std::uint64_t now, std::size_t) override { return left_ ? std::max(now, next_) : never; }
  packet_order take(std::uint64_t now) override {
    --left_;
    next_ = now + 1 + dice_.below(6);
    packet_order order;
    const bool hot = dice_.below(3) == 0;
    order.destination = hot ? 3 : dice_.below(terminals);
    order.length = static_cast<std::uint16_t>(1 + dice_.below(longest_));
    if (hot && longest_ == 1) order.kind = flit_kind::combinable;
    return order;
  }

private:
  dice dice_;
  unsigned left_;
  const unsigned longest_;
  std::uint64_t next_ = 0;
};

// Requests and replies of each pair, and every event for comparison.
struct ledger : endpoint_observer {
  using event = std::tuple<std::uint64_t, int, std::uint32_t, std::uint32_t, std::uint32_t, unsigned>;
  std::vector<event> events;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> asked, served, answered;
  std::set<std::pair<std::uint32_t, std::uint32_t>> unanswered;  // source and number of a request
  std::uint64_t flits_made = 0, flits_taken = 0, merges = 0;

  void note(std::uint64_t cycle, int what, const flit& f) {
    events.emplace_back(cycle, what, f.source, f.destination, f.packet, f.network);
  }
  void created(std::uint64_t cycle, const flit& head) override {
    note(cycle, 0, head);
    flits_made += head.length;
    if (head.network == 0) {
      ++asked[{head.source, head.destination}];
      unanswered.insert({head.source, head.packet});
    }
  }
  void combined(std::uint64_t cycle, const flit& survivor, const flit& merged) override {
    note(cycle, 3, merged);
    EXPECT_EQ(survivor.destination, merged.destination);
    EXPECT_EQ(survivor.kind, flit_kind::combinable);
    EXPECT_EQ(merged.kind, flit_kind::combinable);
    ++served[{merged.source, merged.destination}];
    flits_taken += merged.length;
    ++merges;
  }
  void split(std::uint64_t cycle, const flit& reply, const flit& branch) override {
    note(cycle, 0, branch);
    EXPECT_EQ(branch.source, reply.source);
    flits_made += branch.length;
  }
  void injected(std::uint64_t cycle, const flit& head) override { note(cycle, 1, head); }
  void delivered(std::uint64_t cycle, unsigned terminal, const flit& f) override {
    note(cycle, 2, f);
    ++flits_taken;
    EXPECT_EQ(f.destination, terminal);
    EXPECT_EQ(f.payload, check_value(f));
    if (!f.tail()) return;
    if (f.network == 0) {
      ++served[{f.source, f.destination}];
    } else {
      ++answered[{f.destination, f.source}];
      EXPECT_TRUE(unanswered.erase({f.destination, f.packet})) << f << " answered twice";
    }
  }
};

json interface(const json& keys) {
  json all = {{"kind", "feedback"},
              {"module", "fixed"},
              {"latency", 3},
              {"replies", true},
              {"reply_length", 2},
              {"threshold", 4},
              {"comparison", "reached"},
              {"delay", 1},
              {"announce", "lines"},
              {"hot_list", 0},
              {"set_aside", 0},
              {"bleeding", "none"},
              {"bleed", 1},
              {"bleed_each", "network"},
              {"grants", "blocked"},
              {"probability", 0.1}};
  all.update(keys);
  return all;
}

json combining(unsigned degree, unsigned wait_buffer, bool in_service) {
  return {{"kind", "combining"},        {"depth", 2},
          {"return_depth", 2},          {"degree", degree},
          {"wait_buffer", wait_buffer}, {"in_service", in_service},
          {"overtakes", false}};
}

json nifdy(const json& keys, json others = json::object()) {
  json all = {{"protocol", "nifdy"}, {"outstanding", 3},          {"pool", 4},
              {"arrivals", 2},       {"acknowledge", "accepted"}, {"choice", "oldest"},
              {"ack_length", 1},     {"ack_processing", 2},       {"loss", 0},
              {"timeout", 0}};
  all.update(keys);
  others["nifdy"] = all;
  return others;
}

struct mechanism {
  const char* name;
  json keys;
  json switches = {};  // in place of packet switches; then all messages have one flit
};
void PrintTo(const mechanism& m, std::ostream* os) { *os << m.name; }

const std::vector<mechanism>& mechanisms() {
  static const std::vector<mechanism> all{
      {"plain", {{"kind", "memory"}}},
      {"feedback", json::object()},
      {"hysteresis", {{"threshold", 6}, {"cool_threshold", 2}}},
      {"late", {{"delay", 9}}},
      {"bus", {{"announce", "bus"}, {"hot_list", 2}}},
      {"aside", {{"set_aside", 5}}},
      {"bleeding", {{"bleeding", "round_robin"}, {"set_aside", 3}}},
      {"bleeding_each", {{"bleeding", "round_robin"}, {"bleed_each", "module"}}},
      {"slots", {{"bleeding", "slots"}, {"announce", "bus"}}},
      {"random", {{"bleeding", "random"}}},
      {"combining", {{"kind", "memory"}}, combining(0, 0, false)},
      {"combining_nothing", {{"kind", "memory"}}, combining(1, 0, false)},
      {"combining_pairs", {{"kind", "memory"}}, combining(2, 1, false)},
      {"combining_in_service", {{"kind", "memory"}}, combining(3, 2, true)},
      {"limits", {{"limit", {{"hot", 1}, {"cold", 2}}}}},
      {"nifdy", nifdy(json::object())},
      {"nifdy_buffers", nifdy({{"protocol", "buffers"}})},
      {"nifdy_lossy", nifdy({{"loss", 0.05}, {"timeout", 400}})},
      {"nifdy_bleeding", nifdy({{"acknowledge", "inserted"}}, {{"bleeding", "round_robin"}})},
  };
  return all;
}

struct system_under_test {
  ledger book;
  std::vector<std::string> violations;
  std::unique_ptr<platform> net;
  std::vector<std::unique_ptr<stepped>> checkers;

  /// The first `senders` have so many requests each.
  system_under_test(kernel k, const mechanism& what, unsigned requests, const std::string& name = "net",
                    unsigned senders = terminals) {
    const unsigned longest = what.switches.is_null() ? 2 : 1;
    network_plan plan;
    plan.shape = make_omega({2, 4, terminals});
    plan.routes = testing_support::make_routing(plan.shape, "auto");
    plan.config.runs_on = k;
    plan.config.packet_length = longest;
    plan.config.switches = {{"kind", "packet"},           {"buffering", "output"},    {"assignment", "any"},
                            {"switching", "cut_through"}, {"arbiter", "round_robin"}, {"depth", 4},
                            {"memory_depth", 12}};
    if (longest == 1) plan.config.switches = what.switches;
    plan.config.interfaces = interface(what.keys);
    if (longest == 1) plan.config.interfaces["reply_length"] = 1;
    const catalogue all = platform_catalogue();
    net = std::make_unique<platform>(name.c_str(), plan, all,
                                     workload{[=](unsigned t) {
                                                return std::make_unique<random_supply>(
                                                    t, t < senders ? requests : 0, longest);
                                              },
                                              [](unsigned) { return sink_config{}; }, book});
    checkers = net->make_checkers([this](const violation& v) { violations.push_back(v.message); });
  }
  void expect_legal() const {
    EXPECT_TRUE(violations.empty()) << violations.size() << ": " << violations.front();
    EXPECT_EQ(net->held_flits(), 0u);
  }
};

// Cycles in which a memory takes no request while a processor holds one for it, by module: cycle by cycle,
// from the events alone. A reset that begins at `reset_at` throws away what is held.
std::vector<double> idle_while_held(const ledger& book, unsigned reset_at = ~0u) {
  std::uint64_t last = 0;
  for (const auto& event : book.events) last = std::max(last, std::uint64_t{std::get<0>(event)});
  std::vector<std::vector<int>> change(terminals, std::vector<int>(last + 1)), taken = change;
  for (const auto& [cycle, what, source, module, packet, network] : book.events) {
    if (network != 0 || what == 3) continue;
    if (what == 2) taken[module][cycle] = 1;
    if (what < 2) change[module][cycle] += what == 0 ? 1 : -1;
  }
  std::vector<double> idle(terminals);
  for (unsigned m = 0; m < terminals; ++m) {
    int held = 0;
    for (unsigned cycle = 0; cycle < change[m].size(); ++cycle) {
      if (cycle == reset_at) held = 0;
      held += change[m][cycle];
      idle[m] += held > 0 && !taken[m][cycle];
    }
    EXPECT_EQ(held, 0);
  }
  return idle;
}

/// Cycles in which all is served; a loss costs two timeouts.
std::uint64_t cycles_of(const mechanism& m) { return std::string(m.name) == "nifdy_lossy" ? 40000 : 6000; }

using platform_case = std::tuple<mechanism, kernel>;
class memory_platform : public sc_test, public testing::WithParamInterface<platform_case> {};

}  // namespace

TEST_P(memory_platform, gives_every_request_exactly_one_reply) {
  const auto& [what, k] = GetParam();
  system_under_test t(k, what, 150);
  t.net->drive_reset(true);
  t.net->run(2);
  t.net->drive_reset(false);
  t.net->run(cycles_of(what));
  int requests = 0;
  for (const auto& [pair, n] : t.book.asked) requests += n;
  EXPECT_EQ(requests, 150 * static_cast<int>(terminals));
  EXPECT_EQ(t.book.served, t.book.asked);
  EXPECT_EQ(t.book.answered, t.book.asked);
  EXPECT_TRUE(t.book.unanswered.empty());
  EXPECT_EQ(t.book.merges > 100, !what.switches.is_null() && what.switches["degree"] != 1) << t.book.merges;
  EXPECT_EQ(t.book.flits_taken, t.book.flits_made);
  t.expect_legal();
}

TEST_P(memory_platform, counts_what_a_reset_in_mid_run_throws_away) {
  const auto& [what, k] = GetParam();
  system_under_test t(k, what, 150);
  t.net->drive_reset(true);
  t.net->run(2);
  t.net->drive_reset(false);
  t.net->run(200);
  t.net->drive_reset(true);
  t.net->run(3);
  t.net->drive_reset(false);
  EXPECT_GT(t.net->lost_in_reset(), 50u);
  t.net->run(cycles_of(what));
  const auto idle = idle_while_held(t.book, 202);
  EXPECT_EQ(t.net->count().at("undershoot.idle_while_held"), std::accumulate(idle.begin(), idle.end(), 0.0));
  // A request in a memory's pipeline is lost as the reply that it was to become, which was never made.
  std::uint64_t served = 0, replies = 0, in_pipelines = 0;
  for (const auto& [pair, n] : t.book.served) served += static_cast<std::uint64_t>(n);
  for (const auto& event : t.book.events) replies += std::get<1>(event) == 0 && std::get<5>(event) != 0;
  in_pipelines = (what.switches.is_null() ? 2 : 1) * (served - replies);
  // A NIFDY unit's acknowledgements are lost in switches too, one a request that is outstanding at most, and
  // what a link has dropped is no longer there for a reset to lose.
  const std::uint64_t gone = t.book.flits_made + in_pipelines - t.book.flits_taken;
  const unsigned outstanding = what.keys.contains("nifdy") ? 3 : 0;
  const auto dropped = 2 * static_cast<std::uint64_t>(t.net->count()["loss.packets_dropped"]);
  EXPECT_LE(gone, t.net->lost_in_reset() + dropped);
  EXPECT_GE(gone + std::uint64_t{terminals} * outstanding, t.net->lost_in_reset());
  t.expect_legal();
}

INSTANTIATE_TEST_SUITE_P(every, memory_platform,
                         testing::Combine(testing::ValuesIn(mechanisms()),
                                          testing::Values(kernel::signals, kernel::fast)),
                         [](const auto& p) {
                           return std::string(std::get<0>(p.param).name) +
                                  (std::get<1>(p.param) == kernel::fast ? "_fast" : "_signals");
                         });

class memory_platforms : public sc_test, public testing::WithParamInterface<mechanism> {};

TEST_P(memory_platforms, do_the_same_on_both_kernels) {
  system_under_test one(kernel::signals, GetParam(), 100, "signals");
  system_under_test other(kernel::fast, GetParam(), 100, "fast");
  for (system_under_test* const t : {&one, &other}) t->net->drive_reset(true);
  one.net->run(2);
  for (system_under_test* const t : {&one, &other}) t->net->drive_reset(false);
  one.net->run(4000);
  for (system_under_test* const t : {&one, &other}) std::sort(t->book.events.begin(), t->book.events.end());
  EXPECT_GT(one.book.events.size(), 9000u);
  EXPECT_TRUE(one.book.events == other.book.events);
  EXPECT_EQ(one.net->count(), other.net->count());
}

TEST_P(memory_platforms, count_the_cycles_in_which_a_memory_idles_while_a_request_for_it_is_held) {
  system_under_test t(kernel::fast, GetParam(), 150);
  t.net->drive_reset(true);
  t.net->run(2);
  t.net->drive_reset(false);
  t.net->run(cycles_of(GetParam()));
  t.expect_legal();
  std::vector<int> requests(terminals);
  for (const auto& [cycle, what, source, module, packet, network] : t.book.events)
    requests[module] += what == 0 && network == 0;
  const std::vector<double> idle = idle_while_held(t.book);
  const auto busiest = std::max_element(requests.begin(), requests.end()) - requests.begin();
  const counters found = t.net->count();
  EXPECT_EQ(found.at("busiest.module"), static_cast<double>(busiest));
  EXPECT_EQ(found.at("undershoot.busiest_idle_while_held"), idle[static_cast<unsigned>(busiest)]);
  EXPECT_EQ(found.at("undershoot.idle_while_held"), std::accumulate(idle.begin(), idle.end(), 0.0));
  EXPECT_GT(found.at("undershoot.idle_while_held"), 0);
}

INSTANTIATE_TEST_SUITE_P(every, memory_platforms, testing::ValuesIn(mechanisms()),
                         [](const auto& p) { return std::string(p.param.name); });

class memory_counts : public sc_test {};

TEST_F(memory_counts, have_the_most_that_any_terminal_has_set_aside) {
  system_under_test t(kernel::fast, {"aside", {{"set_aside", 5}, {"threshold", 1}}}, 150, "net",
                      terminals - 1);
  t.net->drive_reset(true);
  t.net->run(2);
  t.net->drive_reset(false);
  t.net->run(3000);
  t.expect_legal();
  EXPECT_GE(t.net->count().at("feedback.most_set_aside"), 1);
  EXPECT_LE(t.net->count().at("feedback.most_set_aside"), 5);
}
