// A router of a tree of eight terminals, pin by pin: times, reservations, rejections, release.
#include <spillway/hw/circuit/circuit_router.hpp>
#include <support/circuit_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

using answers = std::vector<circuit_sender::answer>;

class circuit_router_on : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  // The left router of level 1: below it terminals 0 to 3, terminals 0 and 1 behind port a.
  void SetUp() override {
    sc_test::SetUp();
    bench_ = std::make_unique<bench>(GetParam());
    const fat_tree tree{3};
    circuit_router_config config;
    config.node = tree.number({1, 0, 0});
    config.level = 1;
    router_ = &bench_->make<circuit_router>("router", config, std::make_shared<fat_tree_routing>(tree));
    for (unsigned p = 0; p < 4; ++p) {
      const std::string number = std::to_string(p);
      from_[p] = &bench_->make<circuit_sender>("from_" + number, p);
      to_[p] = &bench_->make<circuit_receiver>("to_" + number);
      circuit_link& in = circuit(*bench_, links_, "in_" + number);
      circuit_link& out = circuit(*bench_, links_, "out_" + number);
      router_->connect_input(p, in), router_->connect_output(p, out);
      in.connect(from_[p]->out), out.connect(to_[p]->in);
    }
  }
  void play(unsigned cycles = 60) {
    run(cycles);
    EXPECT_TRUE(bench_->violations.empty()) << bench_->first_violation();
  }

  std::unique_ptr<bench> bench_;
  std::vector<std::unique_ptr<circuit_link>> links_;
  circuit_router* router_ = nullptr;
  circuit_sender* from_[4];
  circuit_receiver* to_[4];
};

// Requested at 10, seen by the router at 11 and two cycles later behind it; the answer goes back in one
// cycle a block.
TEST_P(circuit_router_on, a_hop_takes_two_cycles_and_one_back) {
  from_[port_c]->todo = {{10, 1}};
  play();
  ASSERT_EQ(to_[port_a]->got.size(), 1u);
  EXPECT_EQ(to_[port_a]->got[0].cycle, 13u);
  EXPECT_EQ(from_[port_c]->answers, (answers{{15, true}}));
}

TEST_P(circuit_router_on, flits_follow_each_other_every_cycle) {
  from_[port_d]->todo = {{10, 2, 5}};
  play();
  ASSERT_EQ(to_[port_b]->got.size(), 5u);
  for (unsigned i = 0; i < 5; ++i) {
    EXPECT_EQ(to_[port_b]->got[i].cycle, 13u + i);
    EXPECT_EQ(to_[port_b]->got[i].data.index, i);
  }
  EXPECT_EQ(from_[port_d]->answers, (answers{{19, true}}));
  EXPECT_EQ(router_->forwarded(), 5u);
}

TEST_P(circuit_router_on, a_rejection_from_further_on_releases_in_one_cycle) {
  to_[port_b]->accepts = false;
  from_[port_c]->todo = {{10, 3}, {0, 3}};
  play();
  EXPECT_EQ(from_[port_c]->answers, (answers{{15, false}, {21, false}}));
}

TEST_P(circuit_router_on, a_held_port_rejects_at_once) {
  to_[port_a]->delay = 20;
  from_[port_c]->todo = {{10, 0}};
  from_[port_d]->todo = {{15, 1}};
  from_[port_b]->todo = {{18, 0}};
  play();
  EXPECT_EQ(from_[port_d]->answers, (answers{{17, false}}));
  EXPECT_EQ(from_[port_b]->answers, (answers{{20, false}}));
  EXPECT_EQ(from_[port_c]->answers, (answers{{35, true}}));
  counters all;
  router_->count(all);
  EXPECT_EQ(all.at("circuit.collisions"), 2);
  EXPECT_EQ(all.at("circuit.collisions_level_1"), 2);
}

// The acknowledgement is seen at 14, and so is the newcomer.
TEST_P(circuit_router_on, a_release_comes_before_a_reservation_of_the_same_cycle) {
  from_[port_c]->todo = {{10, 0}};
  from_[port_d]->todo = {{13, 1}};
  play();
  EXPECT_EQ(from_[port_c]->answers, (answers{{15, true}}));
  EXPECT_EQ(from_[port_d]->answers, (answers{{18, true}}));
}

TEST_P(circuit_router_on, a_newcomer_one_cycle_earlier_is_rejected) {
  from_[port_c]->todo = {{10, 0}};
  from_[port_d]->todo = {{12, 1}};
  play();
  EXPECT_EQ(from_[port_d]->answers, (answers{{14, false}}));
}

TEST_P(circuit_router_on, of_three_contenders_two_are_rejected_at_once) {
  from_[port_b]->todo = {{10, 0}};
  from_[port_c]->todo = {{10, 1}};
  from_[port_d]->todo = {{10, 0}};
  play();
  unsigned winners = 0;
  for (const unsigned p : {port_b, port_c, port_d}) {
    ASSERT_EQ(from_[p]->answers.size(), 1u);
    winners += from_[p]->answers[0] == circuit_sender::answer{15, true};
    EXPECT_EQ(from_[p]->answers[0].cycle, from_[p]->answers[0].acknowledged ? 15u : 12u);
  }
  EXPECT_EQ(winners, 1u);
}

TEST_P(circuit_router_on, all_four_outputs_work_at_once) {
  from_[port_a]->todo = {{10, 5}};
  from_[port_b]->todo = {{10, 7}};
  from_[port_c]->todo = {{10, 0}};
  from_[port_d]->todo = {{10, 3}};
  play();
  for (unsigned p = 0; p < 4; ++p) {
    EXPECT_EQ(from_[p]->answers, (answers{{15, true}}));
    EXPECT_EQ(to_[p]->got.size(), 1u);
  }
}

TEST_P(circuit_router_on, messages_that_cross_do_not_collide) {
  from_[port_a]->todo = {{10, 2}};
  from_[port_b]->todo = {{10, 0}};
  play();
  EXPECT_EQ(from_[port_a]->answers, (answers{{15, true}}));
  EXPECT_EQ(from_[port_b]->answers, (answers{{15, true}}));
}

TEST_P(circuit_router_on, up_ports_are_chosen_fairly) {
  constexpr unsigned messages = 400;
  for (unsigned i = 0; i < messages; ++i) from_[port_a]->todo.push_back({0, 6});
  play(messages * 8);
  ASSERT_EQ(from_[port_a]->answers.size(), messages);
  EXPECT_EQ(to_[port_c]->got.size() + to_[port_d]->got.size(), messages);
  EXPECT_NEAR(to_[port_c]->got.size(), messages / 2.0, 4 * std::sqrt(messages) / 2);
}

TEST_P(circuit_router_on, random_traffic_keeps_every_rule_and_loses_nothing) {
  dice d(3);
  for (unsigned p = 0; p < 4; ++p) {
    to_[p]->delay = d.below(4);
    for (unsigned i = 0; i < 150; ++i) {
      const unsigned destination =
          p >= port_c ? d.below(4) : (d.percent(50) ? 4 + d.below(4) : 2 * (1 - p) + d.below(2));
      from_[p]->todo.push_back({d.below(1500), destination, 1 + d.below(4)});
    }
  }
  play(6000);
  std::size_t acknowledged = 0, whole = 0;
  for (unsigned p = 0; p < 4; ++p) {
    EXPECT_EQ(from_[p]->answers.size(), 150u);
    for (const auto& a : from_[p]->answers) acknowledged += a.acknowledged;
    for (const passage& f : to_[p]->got) {
      whole += f.data.tail();
      EXPECT_EQ(f.data,
                make_flit(f.data.source, f.data.destination, f.data.packet, f.data.index, f.data.length));
    }
  }
  EXPECT_GT(acknowledged, 300u);
  EXPECT_EQ(acknowledged, whole);
}

TEST_P(circuit_router_on, a_reset_releases_everything) {
  to_[port_a]->delay = 1000;
  from_[port_c]->todo = {{10, 0}, {40, 1}};
  run(20);
  bench_->reset(3);
  to_[port_a]->delay = 0;
  from_[port_c]->todo.pop_front();
  run(60);
  EXPECT_TRUE(bench_->violations.empty()) << bench_->first_violation();
  EXPECT_EQ(from_[port_c]->answers, (answers{{45, true}}));
}

INSTANTIATE_TEST_SUITE_P(kernels, circuit_router_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
