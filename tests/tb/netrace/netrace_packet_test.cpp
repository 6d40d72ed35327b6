// How long the packets of Netrace's types are.
#include <gtest/gtest.h>

#include <set>
#include <spillway/tb/netrace/netrace_file.hpp>

using namespace spillway;

TEST(netrace_packet, is_as_long_as_its_type_says) {
  const std::set<unsigned> with_a_line{2, 3, 4, 6, 16, 30};
  const std::set<unsigned> without{1, 5, 13, 14, 15, 25, 27, 28, 29};
  for (unsigned type = 0; type < 40; ++type) {
    netrace_packet p;
    p.type = static_cast<std::uint8_t>(type);
    EXPECT_EQ(p.bytes(), with_a_line.count(type) ? 72u : without.count(type) ? 8u : 0u) << "type " << type;
  }
}
