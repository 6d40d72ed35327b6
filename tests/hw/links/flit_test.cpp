#include <gtest/gtest.h>

#include <boost/random/mersenne_twister.hpp>
#include <functional>
#include <spillway/hw/links/flit.hpp>
#include <sstream>
#include <type_traits>
#include <vector>

using namespace spillway;

namespace {

struct field {
  const char* name;
  unsigned low, width;  // bits, as documented at the struct
  std::function<void(flit&, std::uint64_t)> set;
};

template <class T>
std::function<void(flit&, std::uint64_t)> setter(T flit::*member) {
  return [member](flit& f, std::uint64_t v) { f.*member = static_cast<T>(v); };
}

const std::vector<field>& fields() {
  static const std::vector<field> all = {
      {"source", 0, 32, setter(&flit::source)},   {"destination", 32, 32, setter(&flit::destination)},
      {"packet", 64, 32, setter(&flit::packet)},  {"index", 96, 16, setter(&flit::index)},
      {"length", 112, 16, setter(&flit::length)}, {"kind", 128, 8, setter(&flit::kind)},
      {"lane", 136, 8, setter(&flit::lane)},      {"network", 144, 8, setter(&flit::network)},
      {"flags", 152, 8, setter(&flit::flags)},    {"sequence", 160, 16, setter(&flit::sequence)},
      {"dialog", 176, 16, setter(&flit::dialog)}, {"payload", 192, 64, setter(&flit::payload)},
  };
  return all;
}

flit zero() {
  flit f;
  f.length = 0;
  return f;
}

}  // namespace

TEST(flit_value, differs_when_any_field_differs) {
  for (const field& x : fields()) {
    flit f = zero();
    EXPECT_TRUE(f == zero());
    x.set(f, 1);
    EXPECT_TRUE(f != zero()) << x.name;
    EXPECT_FALSE(f == zero()) << x.name;
  }
}

TEST(flit_bits, are_where_the_documentation_says) {
  unsigned next = 0;
  for (const field& x : fields()) {
    EXPECT_EQ(x.low, next) << x.name;
    next += x.width;
    for (unsigned bit = 0; bit < x.width; ++bit) {
      flit f = zero();
      x.set(f, std::uint64_t{1} << bit);
      flit_words expected{};
      expected[(x.low + bit) / 64] = std::uint64_t{1} << (x.low + bit) % 64;
      EXPECT_EQ(to_bits(f), expected) << x.name << " bit " << bit;
    }
  }
  EXPECT_EQ(next, flit_bits);
}

TEST(flit_bits, come_back_as_the_same_flit) {
  boost::random::mt19937_64 engine(7);
  for (int i = 0; i < 1000; ++i) {
    const flit_words bits{engine(), engine(), engine(), engine()};
    const flit f = from_bits(bits);
    EXPECT_EQ(to_bits(f), bits);
    EXPECT_TRUE(from_bits(to_bits(f)) == f);
  }
}

TEST(flit_value, knows_head_and_tail) {
  flit f;
  f.length = 3;
  EXPECT_TRUE(f.head() && !f.tail());
  f.index = 1;
  EXPECT_TRUE(!f.head() && !f.tail());
  f.index = 2;
  EXPECT_TRUE(!f.head() && f.tail());
  EXPECT_TRUE(flit{}.head() && flit{}.tail());
  f.length = f.index = 65535;
  EXPECT_FALSE(f.tail());
  f.index = 65534;
  EXPECT_TRUE(f.tail());
}

TEST(flit_value, prints_in_a_few_words) {
  flit f;
  f.source = 3, f.destination = 7, f.packet = 12, f.length = 4;
  std::ostringstream os;
  os << f;
  EXPECT_EQ(os.str(), "3>7 #12 0/4");
}
