// The interface of a circuit-switched network, pin by pin: when it sends, retries, accepts and refuses.
#include <spillway/hw/circuit/circuit_interface.hpp>
#include <support/circuit_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Rejects the first few messages at once, takes the others; notes when requests were seen.
class stubborn_network : public clocked {
public:
  circuit_in in{"in"};
  unsigned rejections = 0;
  std::vector<std::uint64_t> requests;
  std::vector<flit> got;

  explicit stubborn_network(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override {}
  void tick() override {
    wake_at(cycle() + 1);
    in.acknowledge.write(false), in.collision.write(false);
    const bool request = in.request.read();
    if (request && !open_ && !answered_) {
      requests.push_back(cycle());
      open_ = true;
      message_.clear();
    }
    if (request && open_) {
      if (message_.size() == in.data.read().index) message_.push_back(in.data.read());
      if (rejections > 0) {
        --rejections;
        in.collision.write(true);
        open_ = false, answered_ = true;
      } else if (message_.back().tail()) {
        in.acknowledge.write(true);
        got.insert(got.end(), message_.begin(), message_.end());
        open_ = false, answered_ = true;
      }
    }
    if (!request) answered_ = false;
  }

  std::vector<flit> message_;
  bool open_ = false, answered_ = false;
};

class circuit_interface_on : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  void build(retry_policy policy, unsigned sink_percent = 100) {
    bench_ = std::make_unique<bench>(GetParam());
    dut_ = &bench_->make<circuit_interface>("dut", circuit_interface_config{4, policy});
    processor_ = &bench_->make<sender>("processor");
    memory_ = &bench_->make<receiver>("memory", sink_percent);
    network_ = &bench_->make<stubborn_network>("network");
    peer_ = &bench_->make<circuit_sender>("peer", 9);
    const any_link down = bench_->link("down"), up = bench_->link("up");
    processor_->out.bind(down), dut_->in.bind(down);
    dut_->out.bind(up), memory_->in.bind(up);
    circuit_link &out = circuit(*bench_, links_, "out"), &in = circuit(*bench_, links_, "in");
    out.connect(dut_->send), out.connect(network_->in);
    in.connect(peer_->out), in.connect(dut_->receive);
  }
  void play(unsigned cycles = 100) {
    run(cycles);
    EXPECT_TRUE(bench_->violations.empty()) << bench_->first_violation();
  }
  counters count() const {
    counters all;
    dut_->count(all);
    return all;
  }

  std::unique_ptr<bench> bench_;
  std::vector<std::unique_ptr<circuit_link>> links_;
  circuit_interface* dut_ = nullptr;
  sender* processor_ = nullptr;
  receiver* memory_ = nullptr;
  stubborn_network* network_ = nullptr;
  circuit_sender* peer_ = nullptr;
};

TEST_P(circuit_interface_on, requests_a_message_as_soon_as_it_is_whole) {
  build({});
  processor_->add_packet(4, 7, 0, 3);
  play();
  ASSERT_EQ(processor_->sent.size(), 3u);
  EXPECT_EQ(network_->requests, (std::vector<std::uint64_t>{processor_->sent.back().cycle + 1}));
  ASSERT_EQ(network_->got.size(), 3u);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(network_->got[i], make_flit(4, 7, 0, i, 3));
}

TEST_P(circuit_interface_on, takes_the_next_message_when_the_last_is_acknowledged) {
  build({});
  processor_->add_packet(4, 7, 0);
  processor_->add_packet(4, 5, 1);
  play();
  // Acknowledged at the edge r + 1, taken at r + 2, seen by the network at r + 3.
  ASSERT_EQ(network_->requests.size(), 2u);
  EXPECT_EQ(network_->requests[1], network_->requests[0] + 3);
  EXPECT_EQ(count().at("circuit.acknowledged"), 2);
  EXPECT_EQ(dut_->held_flits(), 0u);
}

// Rejected at edge r, sensed at r + 1, requested one cycle later and seen at r + 3.
TEST_P(circuit_interface_on, retries_one_cycle_after_sensing_a_collision) {
  build({});
  network_->rejections = 3;
  processor_->add_packet(4, 7, 0, 2);
  play();
  ASSERT_EQ(network_->requests.size(), 4u);
  for (unsigned i = 1; i < 4; ++i) EXPECT_EQ(network_->requests[i], network_->requests[i - 1] + 3);
  EXPECT_EQ(network_->got.size(), 2u);
  EXPECT_EQ(count().at("circuit.rejected"), 3);
  EXPECT_EQ(count().at("circuit.transmissions"), 4);
}

TEST_P(circuit_interface_on, backs_off_as_its_policy_says) {
  retry_policy policy;
  policy.strategy = retry::exponential;
  policy.unit = 5;
  build(policy);
  network_->rejections = 4;
  processor_->add_packet(4, 7, 0);
  play(400);
  ASSERT_EQ(network_->requests.size(), 5u);
  for (unsigned i = 1; i < 5; ++i) {
    const std::uint64_t sensed = network_->requests[i - 1] + 1;
    EXPECT_EQ(network_->requests[i], sensed + 2 + policy.delay(4, i, sensed));
  }
}

TEST_P(circuit_interface_on, says_that_a_message_rests_only_while_it_backs_off) {
  retry_policy policy;
  policy.strategy = retry::random;
  policy.window = 1000;
  build(policy);
  network_->rejections = 1;
  processor_->add_packet(4, 7, 0, 3);
  std::uint64_t rested = 0;
  for (unsigned cycle = 0; cycle < 1100; ++cycle) {
    play(1);
    const std::uint64_t resting = dut_->resting_flits();
    if (resting == 0) continue;
    ++rested;
    EXPECT_EQ(resting, 3u);
    EXPECT_EQ(network_->requests.size(), 1u);
  }
  ASSERT_EQ(network_->requests.size(), 2u);
  // Immediate retry, of no delay, never rests: each cycle over it is one of rest.
  const std::uint64_t delay = policy.delay(4, 1, network_->requests[0] + 1);
  ASSERT_GT(delay, 1u);
  EXPECT_EQ(rested, delay);
}

TEST_P(circuit_interface_on, hands_over_what_arrives_and_acknowledges_at_the_tail) {
  build({});
  peer_->todo = {{10, 4, 4}};
  play();
  ASSERT_EQ(memory_->got.size(), 4u);
  // Requested at 10, seen at 11 and, flit by flit, taken by the memory at the edge after.
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(memory_->got[i].cycle, 12u + i);
  EXPECT_EQ(peer_->answers, (std::vector<circuit_sender::answer>{{15, true}}));
}

TEST_P(circuit_interface_on, refuses_while_the_last_message_has_not_been_taken) {
  build({}, 0);
  peer_->todo = {{10, 4}, {20, 4}};
  play();
  EXPECT_EQ(peer_->answers, (std::vector<circuit_sender::answer>{{12, true}, {22, false}}));
  EXPECT_EQ(count().at("circuit.refused"), 1);
  EXPECT_EQ(dut_->held_flits(), 1u);
}

TEST_P(circuit_interface_on, sends_and_receives_at_the_same_time_under_random_stalls) {
  build({}, 40);
  network_->rejections = 30;
  for (unsigned p = 0; p < 40; ++p) {
    processor_->add_packet(4, 7, p, 1 + p % 3);
    peer_->todo.push_back({0, 4, 1 + p % 4});
  }
  play(1500);
  EXPECT_EQ(network_->got.size(), processor_->sent.size());
  std::size_t taken = 0;
  for (std::size_t i = 0; i < peer_->answers.size(); ++i)
    if (peer_->answers[i].acknowledged) taken += 1 + i % 4;
  EXPECT_EQ(memory_->got.size(), taken);
  EXPECT_GT(taken, 40u);
}

TEST_P(circuit_interface_on, a_reset_counts_what_it_loses) {
  build({}, 0);
  network_->rejections = 1000;
  processor_->add_packet(4, 7, 0, 3);
  peer_->todo = {{5, 4, 2}};
  run(30);
  EXPECT_EQ(dut_->held_flits(), 5u);
  bench_->reset(2);
  EXPECT_EQ(dut_->lost_in_reset(), 5u);
  EXPECT_EQ(dut_->held_flits(), 0u);
}

INSTANTIATE_TEST_SUITE_P(kernels, circuit_interface_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
