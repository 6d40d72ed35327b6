// What an observer is told by blocks that several threads step.
#include <gtest/gtest.h>

#include <memory>
#include <spillway/hw/endpoints/ordered_observer.hpp>
#include <string>
#include <support/link_bench.hpp>
#include <tuple>
#include <vector>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

/// What an observer is told: which call, in which cycle, of which block.
struct told : endpoint_observer {
  std::vector<std::tuple<char, std::uint64_t, unsigned>> all;
  void note(char what, std::uint64_t cycle, const flit& f) { all.emplace_back(what, cycle, f.packet); }
  void created(std::uint64_t cycle, const flit& f) override { note('c', cycle, f); }
  void injected(std::uint64_t cycle, const flit& f) override { note('i', cycle, f); }
  void delivered(std::uint64_t cycle, unsigned terminal, const flit& f) override {
    note('d', cycle, f);
    EXPECT_EQ(terminal, f.packet + 1);
  }
  void held_back(std::uint64_t cycle, const flit& f) override { note('h', cycle, f); }
  void let_go(std::uint64_t cycle, const flit& f) override { note('l', cycle, f); }
  void combined(std::uint64_t cycle, const flit& f, const flit& second) override {
    note('m', cycle, f);
    EXPECT_EQ(second.packet, f.packet + 2);
  }
  void split(std::uint64_t cycle, const flit& f, const flit& second) override {
    note('s', cycle, f);
    EXPECT_EQ(second.packet, f.packet + 2);
  }
};

/// Makes each of an observer's calls in turn.
class teller : public clocked {
public:
  output<bool> out{"out"};
  teller(const sc_core::sc_module_name& name, unsigned number, endpoint_observer& observer)
      : clocked(name), observer_(observer) {
    first_.packet = number, second_.packet = number + 2;
  }

private:
  void reset() override {}
  void tick() override {
    wake_at(cycle() + 1);
    switch ((cycle() + first_.packet) % 7) {
      case 0:
        return observer_.created(cycle(), first_);
      case 1:
        return observer_.injected(cycle(), first_);
      case 2:
        return observer_.delivered(cycle(), first_.packet + 1, first_);
      case 3:
        return observer_.held_back(cycle(), first_);
      case 4:
        return observer_.let_go(cycle(), first_);
      case 5:
        return observer_.combined(cycle(), first_, second_);
      default:
        return observer_.split(cycle(), first_, second_);
    }
  }
  endpoint_observer& observer_;
  flit first_, second_;
};

/// Tellers whose domain so many threads step.
struct told_network {
  told heard;
  clock_domain domain;
  wire<bool> rst{domain};
  ordered_observer observer;
  std::vector<std::unique_ptr<teller>> all;
  std::vector<std::unique_ptr<wire<bool>>> wires;
  told_network(const char* name, unsigned threads) : domain(name, period()), observer(&domain, heard) {
    domain.use_threads(threads, 1);
    for (unsigned n = 0; n < 20; ++n) {
      all.push_back(std::make_unique<teller>((name + std::to_string(n)).c_str(), n, observer));
      wires.push_back(std::make_unique<wire<bool>>(domain));
      all[n]->clk(domain), all[n]->rst(rst), all[n]->out(*wires[n]);
    }
  }
};

struct ordered_observer_test : sc_test {};

}  // namespace

TEST_F(ordered_observer_test, tells_with_several_threads_what_it_tells_with_one) {
  told_network one("one", 1), three("three", 3);
  run(50);
  EXPECT_EQ(three.domain.threads(), 3u);
  EXPECT_EQ(one.heard.all.size(), 20u * 50);
  EXPECT_EQ(one.heard.all, three.heard.all);
}
