// A platform that several threads step: terminals whose workloads share something are in one part, which no
// two threads step at a time, and who watches hears all from one thread.
#include <gtest/gtest.h>

#include <set>
#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/elaborate/platform.hpp>
#include <support/link_bench.hpp>
#include <thread>

using namespace spillway;
using testing_support::sc_test;

namespace {

using threads = std::set<std::thread::id>;
using parts = std::set<const domain_part*>;

/// Packets to all terminals in turn; notes of which part who calls it is.
class noting_supply : public packet_supply {
public:
  noting_supply(bool shares, parts& callers) : shares_(shares), callers_(callers) {}
  std::uint64_t due(std::uint64_t now, std::size_t) override {
    own_.insert(domain_part::here());
    return left_ ? now : never;
  }
  packet_order take(std::uint64_t) override {
    packet_order order;
    order.destination = --left_ % 16;
    return order;
  }
  bool shares() const override { return shares_; }
  ~noting_supply() override { callers_.insert(own_.begin(), own_.end()); }

private:
  const bool shares_;
  parts& callers_;
  parts own_;
  unsigned left_ = 48;
};

struct noting_observer : endpoint_observer {
  threads callers;
  unsigned calls = 0;
  void note() { callers.insert(std::this_thread::get_id()), ++calls; }
  void created(std::uint64_t, const flit&) override { note(); }
  void injected(std::uint64_t, const flit&) override { note(); }
  void delivered(std::uint64_t, unsigned, const flit&) override { note(); }
};

class platform_threads : public sc_test, public testing::WithParamInterface<bool> {};

}  // namespace

TEST_P(platform_threads, step_together_what_workloads_share) {
  const bool shares = GetParam();
  const catalogue all = platform_catalogue();
  const document file = load_document_text(
      // So many that each has only some of the terminals.
      "name: threads\nthreads: 16\nblocks_a_thread: 1\ntopology: {kind: omega, radix: 2, stages: 4}\n"
      "traffic: [{pattern: uniform, messages: 1}]\n",
      "threads.yaml", experiment_schema(all));
  parts callers;
  noting_observer observer;
  {
    platform network("network", read_network(file, all), all,
                     workload{[&](unsigned) { return std::make_unique<noting_supply>(shares, callers); },
                              [](unsigned) { return sink_config{}; }, observer});
    network.run(600);
    EXPECT_EQ(network.domain()->threads(), 16u) << network.domain()->why_fewer();
  }
  EXPECT_EQ(observer.calls, 3 * 16 * 48u);
  EXPECT_EQ(observer.callers, threads{std::this_thread::get_id()});
  if (shares)
    EXPECT_EQ(callers.size(), 1u);
  else
    EXPECT_GT(callers.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(workloads, platform_threads, testing::Bool(),
                         [](const auto& p) { return p.param ? "that_share" : "of_their_own"; });
