#include <gtest/gtest.h>

#include <set>
#include <spillway/hw/switching/port_sets.hpp>
#include <support/dice.hpp>

using namespace spillway;
using spillway::testing_support::dice;

// Both kinds of sets beside std::set, for 5 ports of 12 members each.

namespace {

constexpr unsigned ports = 5, members = 12;

template <class Set>
struct port_sets_test : testing::Test {
  static unsigned number(unsigned port, unsigned member) { return port * Set::stride(members) + member; }
  static unsigned drawn(dice& d) { return number(d.below(ports), d.below(members)); }

  struct pair {
    Set set;
    std::set<unsigned> reference;
  };
  static pair draw(dice& d) {
    pair p;
    for (unsigned n = d.below(40); n; --n) {
      const unsigned what = drawn(d);
      p.set.insert(what), p.reference.insert(what);
    }
    for (unsigned n = d.below(40); n; --n) {
      const unsigned what = drawn(d);
      p.set.erase(what), p.reference.erase(what);
    }
    return p;
  }
  static void expect_same(const Set& set, const std::set<unsigned>& reference) {
    std::set<unsigned> found;
    set.each([&](unsigned n) {
      EXPECT_TRUE(found.empty() || n > *found.rbegin()) << "upwards";
      found.insert(n);
    });
    EXPECT_EQ(found, reference);
    EXPECT_EQ(set.empty(), reference.empty());
    for (unsigned p = 0; p < ports; ++p)
      for (unsigned m = 0; m < members; ++m)
        EXPECT_EQ(set.contains(number(p, m)), reference.count(number(p, m)) != 0);
  }
};
using sets = testing::Types<word_set, two_level_set>;
TYPED_TEST_SUITE(port_sets_test, sets, );

}  // namespace

TYPED_TEST(port_sets_test, hold_what_was_put_in) {
  dice d(1);
  for (int round = 0; round < 200; ++round) {
    const auto p = this->draw(d);
    this->expect_same(p.set, p.reference);
    const TypeParam copy = p.set;
    this->expect_same(copy, p.reference);
    EXPECT_TRUE(copy == p.set);
  }
}

TYPED_TEST(port_sets_test, meet_join_and_differ) {
  dice d(2);
  for (int round = 0; round < 200; ++round) {
    const auto a = this->draw(d), b = this->draw(d);
    std::set<unsigned> both, left, either = a.reference;
    for (const unsigned n : a.reference) (b.reference.count(n) ? both : left).insert(n);
    either.insert(b.reference.begin(), b.reference.end());
    this->expect_same(a.set & b.set, both);
    this->expect_same(a.set - b.set, left);
    typename TypeParam::compact packed;
    packed = a.set;
    this->expect_same(packed & b.set, both);
    TypeParam joined = a.set;
    joined |= b.set;
    this->expect_same(joined, either);
    EXPECT_EQ(a.set == b.set, a.reference == b.reference);
  }
}

TYPED_TEST(port_sets_test, find_the_first_from_a_number_on_and_else_the_lowest) {
  dice d(3);
  for (int round = 0; round < 200; ++round) {
    const auto p = this->draw(d);
    if (p.reference.empty()) continue;
    const unsigned from = this->drawn(d);
    const auto at = p.reference.lower_bound(from);
    EXPECT_EQ(p.set.first_from(from), at == p.reference.end() ? *p.reference.begin() : *at);
  }
}

TYPED_TEST(port_sets_test, take_and_give_the_members_of_a_port) {
  dice d(4);
  const std::uint64_t all = masks::low_bits(members);
  for (int round = 0; round < 200; ++round) {
    auto p = this->draw(d);
    const unsigned port = d.below(ports), first = this->number(port, 0);
    const std::uint64_t word = d.below(1u << members), more = d.below(1u << members);
    p.set.assign(first, all, word);
    EXPECT_EQ(p.set.members(first, all), word);
    p.set.add(first, more);
    EXPECT_EQ(p.set.members(first, all), word | more);
    for (unsigned m = 0; m < members; ++m) {
      p.reference.erase(first + m);
      if ((word | more) >> m & 1) p.reference.insert(first + m);
    }
    this->expect_same(p.set, p.reference);
  }
}

TEST(two_level_set, reaches_to_the_last_member_of_the_last_port) {
  two_level_set set;
  set.insert(4095);
  set.insert(64);
  EXPECT_TRUE(set.contains(4095));
  EXPECT_EQ(set.first_from(65), 4095u);
  set.erase(4095);
  EXPECT_EQ(set.first_from(4032), 64u);
  EXPECT_EQ(two_level_set::dense(4095, 64), 4095u);
  EXPECT_EQ(two_level_set::dense(130, 10), 22u);
}
