#pragma once
#include <gtest/gtest.h>

#include <ostream>
#include <spillway/hw/switching/routing.hpp>

namespace spillway::testing_support {

/// What a routing looks at where a packet enters.
enum class by { nothing, credits, waiting };
inline void PrintTo(by what, std::ostream* os) { *os << static_cast<int>(what); }

/// On a ring with terminals at port 0, up or down: from node 0 by what it looks at, of two alike up, and from
/// the others always up.
class either_way final : public routing {
public:
  explicit either_way(by what) : by_(what) {}

  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    if (node == f.destination) return 1;
    return f.route ? 4 : 2;
  }
  unsigned entry_routes() const override { return 2; }
  unsigned at_entry(unsigned node, unsigned input, const flit& head, const output_load& load) const override {
    EXPECT_EQ(node, head.source);
    EXPECT_EQ(input, 0u);
    if (node != 0) return 0;
    if (by_ == by::credits) return load.credits(1) < load.credits(2);
    return by_ == by::waiting && load.waiting(1) > load.waiting(2);
  }
  bool in_order() const override { return false; }

private:
  const by by_;
};

}  // namespace spillway::testing_support
