#pragma once
#include <map>
#include <utility>

#include "link_bench.hpp"

namespace spillway::testing_support {

/// A sender, a block that flits go through in their lanes, between two checked links, and who takes them.
template <class Block, class Taker = receiver>
struct through_bench {
  bench b;
  sender& from;
  Taker& to;
  Block& block;
  any_link near, far;

  template <class Config, class... Taking>
  through_bench(kernel k, const Config& config, std::pair<unsigned, std::uint32_t> sending,
                Taking&&... taking)
      : b(k),
        from(b.make<sender>("from", sending.first, sending.second)),
        to(b.make<Taker>("to", std::forward<Taking>(taking)...)),
        block(b.make<Block>("block", config)),
        near(b.link("near")),
        far(b.link("far")) {
    from.out.bind(near), block.in.bind(near);
    block.out.bind(far), to.in.bind(far);
  }
  void expect_legal() const { EXPECT_TRUE(b.violations.empty()) << b.first_violation(); }

  /// Three lanes, packets of five flits, taking turns flit by flit: all come, in order in their lanes.
  void expect_nothing_lost() {
    for (unsigned packet = 0; packet < 60; ++packet)
      for (unsigned index = 0; index < 5; ++index)
        for (unsigned lane = 0; lane < 3; ++lane)
          from.todo.push_back(make_flit(lane, 9, packet, index, 5, lane));
    run(6000);
    EXPECT_EQ(to.got.size(), 900u);
    std::map<unsigned, unsigned> next;
    for (const passage& p : to.got) {
      const unsigned n = next[p.data.lane]++;
      ASSERT_EQ(p.data, make_flit(p.data.lane, 9, n / 5, n % 5, 5, p.data.lane)) << "in order in its lane";
    }
    EXPECT_EQ(block.held_flits(), 0u);
    expect_legal();
  }

  /// Until the receiver, which shows ready for an edge at a time with `pause` between, has got so many.
  void take_one_by_one(std::size_t flits, std::uint64_t pause) {
    for (unsigned turns = 0; to.got.size() < flits; ++turns) {
      ASSERT_LT(turns, 100u);
      to.rate = 100;
      run(1);
      to.rate = 0;
      run(pause);
    }
  }

  /// While it holds flits; then it works as before. `most`: cycles in which a flit comes through.
  void expect_reset_empties(unsigned most) {
    EXPECT_GT(block.held_flits(), 0u);
    b.rst(true);
    run(3);
    from.todo.clear();
    b.rst(false);
    EXPECT_EQ(block.held_flits(), 0u);
    EXPECT_GT(block.lost_in_reset(), 0u);
    EXPECT_EQ(from.sent.size(), to.got.size() + block.lost_in_reset());
    to.rate = 100;
    const std::size_t before = to.got.size();
    from.add_packet(1, 2, 0);
    run(most);
    EXPECT_EQ(to.got.size() - before, 1u);
    expect_legal();
  }
};

}  // namespace spillway::testing_support
