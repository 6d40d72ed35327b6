// Rows beyond those that are kept in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/traffic/patterns/scratch_rows.hpp>

namespace {

using spillway::scratch_rows;

struct row {
  std::uint64_t value;
  std::uint32_t other;
};

TEST(scratch_rows, are_what_was_added_or_set_last) {
  constexpr std::uint32_t many = 20'000;
  scratch_rows<row> rows;
  for (std::uint32_t n = 0; n < many; ++n) {
    rows.add({n, ~n});
    if (n % 3 == 0) rows.set(n, {n + 1, 0});      // one that is still in memory
    if (n % 5 == 0) rows.set(n / 2, {n * 7, 1});  // most are not
    ASSERT_EQ(rows.size(), n + 1);
  }
  for (std::uint32_t n = 0; n < many; ++n) {
    const bool late = 2 * n < many && (2 * n % 5 == 0 || (2 * n + 1) % 5 == 0);
    const std::uint32_t setter = 2 * n % 5 == 0 ? 2 * n : 2 * n + 1;
    const row at = rows.at(n);
    ASSERT_EQ(at.value, late && setter < many ? setter * 7 : n + (n % 3 == 0)) << n;
    ASSERT_EQ(at.other, late && setter < many ? 1 : n % 3 == 0 ? 0 : ~n) << n;
  }
  EXPECT_THROW(rows.at(many), std::out_of_range);
}

TEST(scratch_rows, say_that_there_is_no_place_for_their_file) {
  setenv("TMPDIR", "/proc", 1);  // a folder in which nobody can make a file
  scratch_rows<row> rows;
  for (unsigned n = 0; n < 4096; ++n) rows.add({n, n});  // these need none
  try {
    rows.add({});
    ADD_FAILURE() << "made a file in /proc";
  } catch (const spillway::io_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("a temporary file cannot be made: "));
  }
}

}  // namespace
