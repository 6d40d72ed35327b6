// Congestion marks over an interface of whole platforms: who checks what at each terminal.
#include <gtest/gtest.h>

#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <string>
#include <support/link_bench.hpp>

using namespace spillway;
using testing_support::sc_test;

namespace {

constexpr unsigned marked_terminals = 8;

/// Sixty packets to terminal 0, as fast as there is room.
class hot_supply : public packet_supply {
public:
  std::uint64_t due(std::uint64_t now, std::size_t) override { return left_ ? now : never; }
  packet_order take(std::uint64_t) override {
    --left_;
    packet_order order;
    order.destination = 0;
    order.length = 2;
    return order;
  }

private:
  unsigned left_ = 60;
};

struct deaf_observer : endpoint_observer {
  void created(std::uint64_t, const flit&) override {}
  void injected(std::uint64_t, const flit&) override {}
  void delivered(std::uint64_t, unsigned, const flit&) override {}
};

class ecn_platform : public sc_test {
protected:
  ecn_platform() : all(platform_catalogue()) {}

  std::unique_ptr<platform> network_with(const std::string& interface) {
    const document file = load_document_text(
        "name: marks\ntopology: {kind: butterfly, radix: 2, stages: 3}\n"
        "switch: {kind: packet}\npacket: {length: 2}\n"
        "marking: {kind: ecn, threshold: 1}\nstages: [{kind: ecn}]\n"
        "traffic: [{pattern: uniform, messages: 1}]\n" +
            interface,
        "marks.yaml", experiment_schema(all));
    return std::make_unique<platform>("network", read_network(file, all), all,
                                      workload{[](unsigned) { return std::make_unique<hot_supply>(); },
                                               [](unsigned) { return sink_config{}; }, observer});
  }

  /// Checkers whose name begins so.
  static unsigned count(const std::vector<std::unique_ptr<stepped>>& checkers, const std::string& beginning) {
    unsigned found = 0;
    for (const auto& one : checkers) found += std::string(one->full_name()).rfind(beginning, 0) == 0;
    return found;
  }

  const catalogue all;
  deaf_observer observer;
  std::vector<std::string> broken;
  const violation_handler note = [this](const violation& v) { broken.push_back(v.message); };
};

}  // namespace

TEST_F(ecn_platform, has_a_checker_of_the_rider_where_marks_ride_on_acknowledgements) {
  const auto network = network_with("interface: {kind: nifdy, networks: 2}\n");
  const auto checkers = network->make_checkers(note);
  EXPECT_EQ(count(checkers, "check_ecn_"), marked_terminals);
  EXPECT_EQ(count(checkers, "check_rider_"), marked_terminals);
  network->run(20000);
  EXPECT_GT(network->count().at("ecn.marks_on_acknowledgements"), 100);
  EXPECT_TRUE(broken.empty()) << broken.size() << ": " << broken.front();
  EXPECT_EQ(network->held_flits(), 0u);
}

TEST_F(ecn_platform, has_none_where_notifications_go_alone) {
  const auto network = network_with("");
  const auto checkers = network->make_checkers(note);
  EXPECT_EQ(count(checkers, "check_ecn_"), marked_terminals);
  EXPECT_EQ(count(checkers, "check_rider_"), 0u);
  network->run(20000);
  EXPECT_GT(network->count().at("ecn.notifications_heard"), 100);
  EXPECT_TRUE(broken.empty()) << broken.size() << ": " << broken.front();
  EXPECT_EQ(network->held_flits(), 0u);
}

// The watchdog of a run has patience for it: a delay is a multiple of `step`.
TEST_F(ecn_platform, a_stage_may_wait_as_long_as_its_greatest_delay) {
  const stage_entry& stage = all.of<stage_entry>().at("ecn");
  nlohmann::json section{{"kind", "ecn"}, {"limit", 128}};
  fill_defaults(stage, section);
  nlohmann::json slow = section;
  slow["step"] = 100;
  EXPECT_EQ(stage.longest_wait(slow) - stage.longest_wait(section), 99 + 99 * 128);
}
