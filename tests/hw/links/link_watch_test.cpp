#include <gtest/gtest.h>

#include <spillway/hw/circuit/circuit_link.hpp>
#include <spillway/hw/links/link_watch.hpp>
#include <support/link_bench.hpp>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// Writes down what lasts, as `what [from, until)`.
struct lasting_log final : link_listener {
  std::vector<std::string> lines;
  void crosses(unsigned, std::uint64_t, std::uint64_t, const flit&) override {}
  void refused(unsigned, std::uint64_t, const flit&) override {}
  void begins(unsigned, std::uint64_t, const flit&) override {}
  void held(unsigned, std::uint64_t from, std::uint64_t until, const flit& head) override {
    add("packet " + std::to_string(head.packet), from, until);
  }
  void says(unsigned, std::uint64_t from, std::uint64_t until, const std::string& pin,
            const std::string& value) override {
    add(pin + ' ' + value, from, until);
  }
  void add(const std::string& what, std::uint64_t from, std::uint64_t until) {
    lines.push_back(what + " [" + std::to_string(from) + ", " + std::to_string(until) + ")");
  }
};

class link_watch_on : public sc_test, public testing::WithParamInterface<kernel> {};

}  // namespace

TEST_P(link_watch_on, tells_at_a_reset_what_has_lasted_until_then) {
  lasting_log log;
  bench b(GetParam());
  auto& link = b.keep<circuit_link>(link_place{"l"});
  link.connect(b.make<link_watch<circuit_pins>>("watch", 0u, log).pins);
  const auto show = [&](bool high, std::uint32_t packet) {
    link.with([&](auto& w) {
      w.request.write(high), w.data.write(make_flit(1, 2, packet)), w.collision.write(high);
    });
  };
  b.reset(2);
  run(8);
  show(true, 3);  // from edge 10 on
  run(10);
  b.rst(true);
  run(3);
  show(false, 3);
  run(2);
  b.rst(false);
  const std::vector<std::string> lasted = {"collision 1 [10, 20)", "packet 3 [10, 20)"};
  EXPECT_EQ(log.lines, lasted);
  run(5);
  EXPECT_EQ(log.lines, lasted) << "and not once more";
  show(true, 4);  // from edge 30 on
  run(5);
  show(false, 4);
  run(5);
  EXPECT_EQ(std::vector<std::string>(log.lines.begin() + 2, log.lines.end()),
            (std::vector<std::string>{"packet 4 [30, 35)", "collision 1 [30, 35)"}));
}

INSTANTIATE_TEST_SUITE_P(kernels, link_watch_on, testing::Values(kernel::signals, kernel::fast),
                         [](const auto& p) { return name_of(p.param); });
