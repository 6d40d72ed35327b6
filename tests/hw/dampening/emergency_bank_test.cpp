#include <spillway/hw/dampening/dampening_pool.hpp>
#include <spillway/hw/dampening/emergency_bank.hpp>
#include <support/link_bench.hpp>
#include <support/refusal.hpp>

#include "dampening_bench.hpp"

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Drives the pool's ends of two spill and refill links by a list: what to do at which edge.
class script : public clocked {
public:
  struct line {
    std::uint64_t at;
    unsigned port;
    bool spills;
    std::uint16_t slot;
    std::uint32_t packet;
  };
  row<spill_out> spill{2, "spill"};
  row<refill_in> refill{2, "refill"};
  std::vector<line> todo;
  std::vector<std::tuple<std::uint64_t, unsigned, std::uint16_t, std::uint32_t>> got;

  explicit script(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override {
    for (unsigned p = 0; p < 2; ++p) spill[p].valid.write(false), refill[p].fetch.write(false);
  }
  void tick() override {
    wake_at(cycle() + 1);
    for (unsigned p = 0; p < 2; ++p) {
      if (refill[p].valid.read())
        got.emplace_back(cycle(), p, refill[p].slot.read(), refill[p].data.read().packet);
      spill[p].valid.write(false), refill[p].fetch.write(false);
    }
    for (const line& l : todo) {
      if (l.at != cycle()) continue;
      if (l.spills) {
        spill[l.port].valid.write(true);
        spill[l.port].slot.write(l.slot);
        spill[l.port].data.write(make_flit(1, 2, l.packet));
      } else {
        refill[l.port].fetch.write(true);
        refill[l.port].wanted.write(l.slot);
      }
    }
  }
};

class emergency_bank_on : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  void play(std::vector<script::line> todo) {
    b_ = std::make_unique<bench>(GetParam());
    auto& bank = b_->make<emergency_bank>("bank", 2u, 8u);
    script_ = &b_->make<script>("script");
    script_->todo = std::move(todo);
    for (unsigned p = 0; p < 2; ++p) {
      if (GetParam() == kernel::fast) {
        tie(bank, p, *spills_.emplace_back(std::make_unique<spill_wires>(b_->domain())),
            *refills_.emplace_back(std::make_unique<refill_wires>(b_->domain())));
      } else {
        const std::string end = std::to_string(p);
        tie(bank, p, *spill_s_.emplace_back(std::make_unique<spill_signals>("s" + end)),
            *refill_s_.emplace_back(std::make_unique<refill_signals>("r" + end)));
      }
    }
    b_->reset();
    run(30);
  }
  template <class Spill, class Refill>
  void tie(emergency_bank& bank, unsigned p, Spill& spill, Refill& refill) {
    bank.spill[p].bind(spill), script_->spill[p].bind(spill);
    bank.refill[p].bind(refill), script_->refill[p].bind(refill);
  }
  std::unique_ptr<bench> b_;
  script* script_ = nullptr;
  std::vector<std::unique_ptr<spill_wires>> spills_;
  std::vector<std::unique_ptr<refill_wires>> refills_;
  std::vector<std::unique_ptr<spill_signals>> spill_s_;
  std::vector<std::unique_ptr<refill_signals>> refill_s_;
};

/// The bank's end of a pool of one buffer: five messages come at once, so that four go to the bank; then the
/// first two leave, which lets the next two move, and the last is wanted at once.
class pool_alone final : public clocked {
public:
  row<spill_out> spill{1, "spill"};
  row<refill_in> refill{1, "refill"};
  std::vector<std::uint16_t> slots;  ///< of the messages

  explicit pool_alone(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override { pool_.clear(); }
  void tick() override {
    wake_at(cycle() + 1);
    if (cycle() == 5) come_and_leave();
    pool_.drive();
  }
  void come_and_leave() {
    std::vector<message_table::id> ids;
    for (unsigned m = 0; m < 5; ++m) {
      ids.push_back(messages_.add());
      messages_[ids[m]].key = m;
      ASSERT_TRUE(pool_.store(ids[m], 0, make_flit(1, m, 0)));
      slots.push_back(messages_[ids[m]].slot);
    }
    pool_.release(messages_[ids[0]]);
    pool_.release(messages_[ids[1]]);
    pool_.fetch_now(ids[4]);
  }

  state_memory memory_;
  message_table messages_{8, memory_};
  dampening_pool pool_{
      {spill, refill, 0, 1}, sets_everywhere({{0}, {0}, {0}, {0}, {0}}, 1)->make(0, 0), 6, 1, messages_};
};

using answer = std::tuple<std::uint64_t, unsigned, std::uint16_t, std::uint32_t>;

}  // namespace

TEST_P(emergency_bank_on, gives_back_what_was_spilled_two_edges_after_it_was_asked_for) {
  play({{5, 0, true, 3, 11}, {5, 1, true, 4, 12}, {9, 0, false, 4, 0}, {9, 1, false, 3, 0}});
  EXPECT_EQ(script_->got, (std::vector<answer>{{11, 0, 4, 12}, {11, 1, 3, 11}}));
}
TEST_P(emergency_bank_on, a_flit_may_be_fetched_in_the_cycle_in_which_it_is_spilled) {
  play({{5, 1, true, 7, 42}, {5, 0, false, 7, 0}});
  EXPECT_EQ(script_->got, (std::vector<answer>{{7, 0, 7, 42}}));
}
TEST_P(emergency_bank_on, answers_every_cycle_also_for_the_same_place) {
  play({{5, 0, true, 1, 9}, {6, 0, false, 1, 0}, {7, 0, false, 1, 0}, {8, 0, false, 1, 0}});
  EXPECT_EQ(script_->got, (std::vector<answer>{{8, 0, 1, 9}, {9, 0, 1, 9}, {10, 0, 1, 9}}));
}
TEST_P(emergency_bank_on, a_spill_to_the_place_behind_its_last_one_is_an_error) {
  EXPECT_THROW(play({{5, 0, true, 8, 1}}), sc_core::sc_report);
}
TEST_P(emergency_bank_on, a_fetch_from_the_place_behind_its_last_one_is_an_error) {
  EXPECT_THROW(play({{5, 1, false, 8, 0}}), sc_core::sc_report);
}
TEST(emergency_bank_test, has_1_to_65535_places) {
  const auto said_of = [](unsigned slots) {
    return refusal<std::invalid_argument>([slots] { emergency_bank("bank", 1, slots); });
  };
  for (const unsigned wrong : {0u, 65536u})
    EXPECT_EQ(said_of(wrong), "an emergency bank has 1 to 65535 places, found " + std::to_string(wrong));
  EXPECT_EQ(said_of(1), "");
  EXPECT_EQ(said_of(65535), "");
}
TEST(dampening_pool, fetches_what_is_wanted_at_once_before_what_moves) {
  bench b(kernel::signals);
  auto& pool = b.make<pool_alone>("pool");
  spill_signals spill("spill");
  refill_signals refill("refill");
  pool.spill[0].bind(spill), pool.refill[0].bind(refill);
  b.reset();
  std::vector<std::uint16_t> fetched;
  for (unsigned c = 0; c < 12; ++c) {
    run(1);
    if (refill.fetch.read()) fetched.push_back(refill.wanted.read());
  }
  ASSERT_EQ(pool.slots.size(), 5u);
  EXPECT_EQ(fetched, (std::vector<std::uint16_t>{pool.slots[4], pool.slots[1], pool.slots[2]}));
}

INSTANTIATE_TEST_SUITE_P(kernels, emergency_bank_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& i) { return name_of(i.param); });
