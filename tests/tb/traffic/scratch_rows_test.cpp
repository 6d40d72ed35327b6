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
  std::uint32_t number = 0;
  rows.for_each([&](const row& one) {
    ASSERT_EQ(one.value, rows.at(number).value) << number;
    ASSERT_EQ(one.other, rows.at(number).other) << number;
    ++number;
  });
  EXPECT_EQ(number, many);
}

TEST(scratch_rows, say_that_there_is_no_place_for_their_file) {
  const auto said = [](const char* folder) -> std::string {
    setenv("TMPDIR", folder, 1);
    scratch_rows<row> rows;
    for (unsigned n = 0; n < 4096; ++n) rows.add({n, n});  // these need none
    try {
      rows.add({});
    } catch (const spillway::io_error& error) {
      return error.what();
    }
    return "made";
  };
  EXPECT_THAT(said("/proc"), testing::HasSubstr("a temporary file cannot be made in /proc: "));
  EXPECT_THAT(said("/no/folder"), testing::HasSubstr("a temporary file cannot be made in TMPDIR: "));
}

}  // namespace
