#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <spillway/hw/kernel/teardown.hpp>
#include <string>
#include <support/link_bench.hpp>
#include <vector>

using namespace spillway;
using namespace spillway::testing_support;

namespace {

struct teardown_test : sc_test {};

struct leaf : sc_core::sc_module {
  explicit leaf(const sc_core::sc_module_name& name) : sc_module(name) {}
};

/// As a platform: many modules within one, and one that comes last and stays, as SystemC's own.
struct design : sc_core::sc_module {
  first_module first{"first"};
  std::vector<std::unique_ptr<leaf>> leaves;
  std::unique_ptr<leaf> stays;

  explicit design(const sc_core::sc_module_name& name) : sc_module(name) {
    for (int n = 0; n < 100; ++n)
      leaves.push_back(std::make_unique<leaf>(("leaf" + std::to_string(n)).c_str()));
    stays = std::make_unique<leaf>("stays");
  }
  /// Where SystemC, which looks from the start, finds the module.
  std::ptrdiff_t place_of(const sc_core::sc_object* module) const {
    const auto& all = get_child_objects();
    return std::find(all.begin(), all.end(), module) - all.begin();
  }
};

}  // namespace

TEST_F(teardown_test, who_goes_next_is_found_at_once) {
  design d("d");
  EXPECT_EQ(d.place_of(d.leaves.back().get()), 101);
  d.first.go();
  while (!d.leaves.empty()) {
    ASSERT_LE(d.place_of(d.leaves.back().get()), 1) << d.leaves.back()->name();
    d.leaves.pop_back();
  }
  EXPECT_EQ(d.get_child_objects().size(), 1u);
}
