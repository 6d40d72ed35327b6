#pragma once
#include <hw/dampening/dampening_bench.hpp>

#include "walk.hpp"

// Blocks do on their pins what the models in this folder, which Spin has proved, do in their cycles. A cycle
// of a model is several of the block: what the others do is put on its pins for one edge, and what it then
// answers is compared.

namespace spillway::testing_support {

class replay : public sc_test, public testing::WithParamInterface<kernel> {
protected:
  template <class Link, class... Args>
  Link& link(const std::string& name, Args... args) {
    return b.keep<Link>(link_place{name}, args...);
  }
  /// Lets the block work; `look` sees its pins after every edge.
  template <class Look>
  static void settle(Look&& look, unsigned cycles = 8) {
    for (unsigned c = 0; c < cycles; ++c) run(1), look();
  }
  static void settle() {
    settle([] {});
  }

  bench b{GetParam()};
};

}  // namespace spillway::testing_support
