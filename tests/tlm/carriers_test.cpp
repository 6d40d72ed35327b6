// Networks without pins alone, whose terminals are the test.
#include <gtest/gtest.h>

#include <memory>
#include <spillway/tlm/tlm_channel.hpp>
#include <spillway/tlm/tlm_direct.hpp>
#include <support/link_bench.hpp>
#include <vector>

namespace spillway {
namespace {

using testing_support::bench;
using testing_support::run;

/// Takes requests while it is open, and keeps their numbers.
struct door final : message_receiver {
  bool open = false;
  std::vector<std::uint32_t> came;
  bool room(unsigned network) const override { return network == 1 || open; }
  void arrived(const tlm_message& message) override { came.push_back(message.id); }
  void sent(std::uint64_t) override {}
  void network_reset() override {}
};

std::unique_ptr<tlm_channel> make(tlm_channel*) {
  tlm_channel_config config;
  config.terminals = 2;
  config.period = testing_support::period();
  config.first_edge = testing_support::period() / 2;
  const auto straight = [](unsigned source, unsigned, std::vector<message_hop>& hops) {
    hops.push_back({source, source});
  };
  return std::make_unique<tlm_channel>("network", config, message_paths{2, 2, straight});
}
std::unique_ptr<tlm_direct> make(tlm_direct*) { return std::make_unique<tlm_direct>("network", 2); }

template <class Network>
class carriers : public testing_support::sc_test {};
using networks = testing::Types<tlm_channel, tlm_direct>;
TYPED_TEST_SUITE(carriers, networks, );

TYPED_TEST(carriers, forget_in_a_reset_the_requests_that_wait_for_room) {
  bench b{testing_support::kernel::fast};
  const auto network = make(static_cast<TypeParam*>(nullptr));
  door from, to;
  network->deliver_to(0, from), network->deliver_to(1, to);
  b.clock(network->reset_input());
  const auto send = [&](std::uint32_t id) {
    tlm_message message;
    message.destination = 1, message.id = id, message.words = {5};
    network->carrier(0).send(message, sc_core::sc_time_stamp());
    run(20);
  };
  b.reset();
  send(7);
  EXPECT_TRUE(to.came.empty()) << "there is no room";
  b.reset();
  send(8);
  to.open = true;
  network->carrier(1).room_opened();
  run(20);
  EXPECT_EQ(to.came, std::vector<std::uint32_t>{8});
}

}  // namespace
}  // namespace spillway
