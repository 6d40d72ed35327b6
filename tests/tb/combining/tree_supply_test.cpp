// Supplies that combine along a tree, joined by links of a fixed delay.
#include <gtest/gtest.h>

#include <map>
#include <spillway/tb/combining/tree_supply.hpp>

using namespace spillway;

namespace {

// So many combinable messages to the root, one every `every` cycles, and the packets for others in between.
class hot_supply final : public packet_supply {
public:
  hot_supply(unsigned hot, std::uint64_t every) : left_(2 * hot), every_(every) {}
  std::uint64_t due(std::uint64_t now, std::size_t) override { return left_ ? std::max(now, next_) : never; }
  packet_order take(std::uint64_t now) override {
    packet_order order;
    order.destination = 1;
    if (--left_ % 2) order.kind = flit_kind::combinable;
    next_ = now + every_;
    return order;
  }
  void arrived(std::uint64_t, const flit&) override { ++arrivals; }
  bool exhausted() const override { return left_ == 0; }
  unsigned arrivals = 0;

private:
  unsigned left_;
  const std::uint64_t every_;
  std::uint64_t next_ = 0;
};

struct tree_of_supplies {
  static constexpr std::uint64_t link_delay = 5;
  std::shared_ptr<const tree_rules> rules;
  std::shared_ptr<tree_watch> watch;
  std::vector<std::unique_ptr<tree_supply>> supplies;
  std::vector<hot_supply*> own;
  std::multimap<std::uint64_t, flit> under_way;                                    // by cycle of arrival
  std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> ups, downs, others;  // by source, destination
  std::uint64_t now = 0;

  tree_of_supplies(const tree_rules& r, unsigned hot)
      : rules(std::make_shared<tree_rules>(r)), watch(std::make_shared<tree_watch>(r.tree)) {
    for (std::uint32_t t = 0; t < r.tree.terminals(); ++t) {
      auto mine = std::make_unique<hot_supply>(hot, 3 + t % 4);
      own.push_back(mine.get());
      supplies.push_back(std::make_unique<tree_supply>(rules, watch, t, 1, std::move(mine)));
    }
  }
  void step() {
    for (auto next = under_way.begin(); next != under_way.end() && next->first == now;
         next = under_way.erase(next))
      supplies[next->second.destination]->arrived(now, next->second);
    for (std::uint32_t t = 0; t < supplies.size(); ++t)
      while (supplies[t]->due(now, 0) <= now) {
        const packet_order order = supplies[t]->take(now);
        flit f;
        f.source = t;
        f.destination = order.destination;
        f.kind = order.kind;
        f.traffic_class = order.traffic_class;
        under_way.emplace(now + link_delay, f);
        ++(f.traffic_class & tree_up     ? ups
           : f.traffic_class & tree_down ? downs
                                         : others)[{t, order.destination}];
      }
    ++now;
  }
  bool over() const {
    bool all = under_way.empty();
    for (const auto& s : supplies) all = all && s->exhausted();
    return all;
  }
  void run() {
    while (!over() && now < 100000) step();
    EXPECT_TRUE(over());
  }
  counters count() const {
    counters all;
    watch->count(all);
    return all;
  }
};

}  // namespace

TEST(tree_supply_test, hot_messages_go_to_the_parent_and_results_to_every_child) {
  tree_rules rules;
  rules.tree = fan_in_tree(20, 3, 4);
  tree_of_supplies t(rules, 7);
  EXPECT_TRUE(t.supplies[0]->shares()) << "the watch";
  t.run();
  unsigned arrivals = 0;
  for (std::uint32_t n = 0; n < 20; ++n) {
    arrivals += t.own[n]->arrivals;
    if (n == rules.tree.root) continue;
    const std::uint32_t p = rules.tree.parent[n];
    EXPECT_EQ((t.ups[{n, p}]), 7u);
    EXPECT_EQ((t.downs[{p, n}]), 7u) << "as many broadcasts as the root has messages itself";
    EXPECT_EQ((t.others[{n, 1}]), 7u) << "other traffic is as it was";
  }
  EXPECT_EQ(t.ups.size(), 19u);
  EXPECT_EQ(t.downs.size(), 19u);
  EXPECT_EQ(arrivals, 20u * 7) << "messages along the tree are not answered";
  const counters all = t.count();
  EXPECT_EQ(all.at("tree.broadcasts"), 7);
  EXPECT_EQ(all.at("tree.depth"), 3);
  EXPECT_EQ(all.at("tree.most_children"), 3);
  // A level takes the delay of a link and a cycle in the terminal, the first one no cycle in the root.
  double sum = 0;
  for (std::uint32_t n = 0; n < 20; ++n)
    if (n != 4) sum += rules.tree.depth(n) * (tree_of_supplies::link_delay + 1.0) - 1;
  EXPECT_DOUBLE_EQ(all.at("tree.delay"), sum / 19);
}

TEST(tree_supply_test, nobody_passes_a_barrier_before_all_have_come_to_it) {
  tree_rules rules;
  rules.tree = cube_tree(5, 2, 0, 1);
  rules.episodes = 12;
  rules.think = 40;
  tree_of_supplies t(rules, 0);
  unsigned seen = 0, down_most = 0, up_least = 0;
  while (!t.over() && t.now < 100000) {
    t.step();
    down_most = 0, up_least = ~0u;
    for (const auto& [way, n] : t.downs) down_most = std::max(down_most, n);
    for (const auto& [way, n] : t.ups) up_least = std::min(up_least, n);
    if (t.ups.size() < 31) up_least = 0;
    EXPECT_LE(down_most, up_least) << "cycle " << t.now;
    ++seen;
  }
  EXPECT_TRUE(t.over());
  EXPECT_GT(seen, 100u);
  EXPECT_EQ(down_most, 12u);
  EXPECT_EQ(up_least, 12u);
  EXPECT_EQ(t.count().at("tree.broadcasts"), 12);
  EXPECT_GE(t.count().at("tree.barrier"), 5 * tree_of_supplies::link_delay) << "down all of the tree";
}

TEST(tree_supply_test, who_computes_for_ever_comes_to_no_barrier) {
  tree_rules rules;
  rules.tree = cube_tree(3, 3, 0, 1);
  rules.episodes = 1;
  rules.think = 1e25;
  tree_of_supplies t(rules, 0);
  while (t.now < 1000) t.step();
  EXPECT_TRUE(t.ups.empty());
  EXPECT_FALSE(t.over());
}

TEST(tree_supply_test, a_barrier_without_computing_takes_the_way_up_and_down) {
  tree_rules rules;
  rules.tree = cube_tree(4, 4, 0, 1);
  rules.episodes = 3;
  tree_of_supplies t(rules, 0);
  t.run();
  // Every level, up and down, takes a link and the cycle before it.
  EXPECT_DOUBLE_EQ(t.count().at("tree.barrier"), 8 * (tree_of_supplies::link_delay + 1));
}

TEST(tree_supply_test, begins_anew_after_a_reset) {
  for (const std::uint64_t episodes : {0, 9}) {
    tree_rules rules;
    rules.tree = fan_in_tree(10, 2, 0);
    rules.episodes = episodes;
    rules.think = 20;
    tree_of_supplies t(rules, 9);
    for (unsigned c = 0; c < 60; ++c) t.step();
    t.under_way.clear();
    for (const auto& s : t.supplies) s->forget();
    t.run();
    // The root's own nine, of which some went before the reset, or nine barriers after it and some before.
    const double heard = t.count().at("tree.broadcasts");
    EXPECT_GE(heard, episodes ? 9 : 5);
    EXPECT_LE(heard, episodes ? 9 + 4 : 9);
  }
}

TEST(tree_supply_test, tells_how_many_flits_a_reset_takes_from_it) {
  tree_rules rules;
  rules.tree = fan_in_tree(10, 3, 0);
  tree_supply root(std::make_shared<tree_rules>(rules), std::make_shared<tree_watch>(rules.tree), 0, 4,
                   std::make_unique<hot_supply>(1, 1));
  ASSERT_EQ(root.due(0, 0), 0u);
  root.take(0);  // a broadcast, to the first of three children
  EXPECT_EQ(root.forget(), 2u * 4);
  EXPECT_EQ(root.forget(), 0u);
}
