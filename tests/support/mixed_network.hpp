#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/edge_log.hpp>
#include <stdexcept>
#include <string>
#include <support/dice.hpp>
#include <support/link_bench.hpp>
#include <thread>
#include <utility>
#include <vector>

// What tests of several threads step: blocks that read and write at random, and say so.

namespace spillway::testing_support {

/// More than a word.
struct wide {
  std::array<std::uint64_t, 5> words{};
  bool operator==(const wide& other) const { return words == other.words; }
  friend std::ostream& operator<<(std::ostream& os, const wide& w) { return os << w.words[0]; }
  friend void sc_trace(sc_core::sc_trace_file*, const wide&, const std::string&) {}
};

/// What a mixer says now and then.
struct said {
  std::uint64_t cycle;
  unsigned who;
  bool operator==(const said& o) const { return cycle == o.cycle && who == o.who; }
};

/// Mixes what it reads into its state, writes small and wide pins, sleeps for times near and far, and says
/// so now and then.
class mixer : public clocked {
public:
  row<input<std::uint16_t>> in{3, "in"};
  input<wide> wide_in{"wide_in"};
  output<std::uint16_t> out{"out"};
  output<bool> odd{"odd"};
  output<wide> wide_out{"wide_out"};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> calls;  // cycle, state
  std::thread::id thread;

  mixer(const sc_core::sc_module_name& name, unsigned number, edge_log<said>& log)
      : clocked(name), number_(number), state_(number * 7919u), log_(log) {}

private:
  void reset() override { state_ = number_ * 7919u; }
  void tick() override {
    thread = std::this_thread::get_id();
    for (auto& pin : in) state_ = state_ * 6364136223846793005u + pin.read();
    state_ ^= wide_in.read().words[4] + cycle();
    calls.emplace_back(cycle(), state_);
    const std::uint64_t draw = state_ >> 40;
    if (draw % 3 == 0) out.write(static_cast<std::uint16_t>(draw >> 3));
    odd.write(draw & 1);
    if (draw % 5 == 0) wide_out.write({{draw, 1, 2, 3, state_}});
    if (draw % 4 == 0) log_.say({cycle(), number_});
    if (draw % 7 < 4) wake_at(cycle() + 1 + draw % 7);
    if (draw % 11 == 0) wake_at(cycle() + 300 + draw % 50);
    if (calls.size() % 2 == 0) wake_at(cycle() + 2);  // so that none sleeps for ever
  }
  const unsigned number_;
  std::uint64_t state_;
  edge_log<said>& log_;
};

/// Only reads.
class spy : public clocked {
public:
  input<bool> odd{"odd"};
  std::uint64_t calls = 0;
  std::thread::id thread;
  explicit spy(const sc_core::sc_module_name& name) : clocked(name) {}

private:
  void reset() override {}
  void tick() override {
    thread = std::this_thread::get_id();
    ++calls;
  }
};

/// A domain of mixers, each of which reads four others; each is spied on.
struct mixed_network {
  clock_domain domain{"domain", period()};
  wire<bool> rst{domain};
  std::vector<said> heard;
  std::size_t throws_at = 0;  // when it has heard so much; 0: never
  edge_log<said> log;
  std::vector<std::unique_ptr<mixer>> mixers;
  std::vector<std::unique_ptr<spy>> spies;
  std::vector<std::unique_ptr<wire<std::uint16_t>>> outs;
  std::vector<std::unique_ptr<wire<bool>>> odds;
  std::vector<std::unique_ptr<wire<wide>>> wides;

  std::map<std::thread::id, unsigned> heard_by;

  mixed_network(unsigned size, unsigned threads, unsigned least = 1, bool late = false)
      : log(
            &domain,
            [this](const said& s) {
              heard.push_back(s), ++heard_by[std::this_thread::get_id()];
              if (heard.size() == throws_at) throw std::runtime_error("heard enough");
            },
            late) {
    domain.use_threads(threads, least);
    dice d(11);
    for (unsigned n = 0; n < size; ++n) {
      mixers.push_back(std::make_unique<mixer>(("mixer_" + std::to_string(n)).c_str(), n, log));
      outs.push_back(std::make_unique<wire<std::uint16_t>>(domain));
      odds.push_back(std::make_unique<wire<bool>>(domain));
      wides.push_back(std::make_unique<wire<wide>>(domain));
    }
    for (unsigned n = 0; n < size; ++n) {
      mixer& m = *mixers[n];
      m.clk(domain), m.rst(rst), m.out(*outs[n]), m.odd(*odds[n]), m.wide_out(*wides[n]);
      for (auto& pin : m.in) pin(*outs[d.below(size)]);
      m.wide_in(*wides[d.below(size)]);
      spies.push_back(std::make_unique<spy>(("spy_" + std::to_string(n)).c_str()));
      spies[n]->clk(domain), spies[n]->rst(rst), spies[n]->odd(*odds[n]);
    }
  }
};

/// Of all sources with tests of threads.
struct threads_test : sc_test {};

}  // namespace spillway::testing_support
