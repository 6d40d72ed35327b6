// Files that are there whole or not at all.
#include <gtest/gtest.h>

#include <spillway/tb/report/atomic_file.hpp>
#include <string>
#include <support/files.hpp>
#include <support/process.hpp>
#include <vector>

namespace spillway {
namespace {

namespace fs = std::filesystem;

class atomic_files : public ::testing::Test {
protected:
  std::string in(const std::string& name) const { return folder_ / name; }
  scratch_folder folder_;
};

TEST_F(atomic_files, a_file_appears_with_commit_only) {
  write_file(in("a"), "old");
  {
    atomic_file file(in("a"));
    file.write("half");
    EXPECT_EQ(read_text(in("a")), "old");
  }
  EXPECT_EQ(read_text(in("a")), "old");
  EXPECT_EQ(names_in(folder_.path()), std::vector<std::string>{"a"});
  atomic_file file(in("a"));
  const std::string line(1000, 'x');
  for (int i = 0; i < 300; ++i) file.write(line);
  file.commit();
  EXPECT_EQ(read_text(in("a")).size(), 300000u);
  EXPECT_EQ(names_in(folder_.path()), std::vector<std::string>{"a"});
}

TEST_F(atomic_files, a_link_is_followed) {
  write_file(in("real"), "old");
  fs::create_symlink("real", in("link"));
  write_file(in("link"), "new");
  EXPECT_TRUE(fs::is_symlink(in("link")));
  EXPECT_EQ(read_text(in("real")), "new");
}

TEST_F(atomic_files, a_full_disk_is_an_error) {
  EXPECT_EQ(message_of([] { write_file("/dev/full", "text"); }),
            "/dev/full: cannot write this file: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  EXPECT_EQ(message_of([] { write_file("/dev/null", "text"); }), "no error");
}

TEST_F(atomic_files, a_full_disk_is_seen_while_streaming) {
  atomic_file file("/dev/full");
  const std::string line(1000, 'x');
  EXPECT_THROW(
      {
        for (int i = 0; i < 1000; ++i) file.write(line);
      },
      io_error);
  EXPECT_THROW(file.write("more"), io_error);
}

TEST_F(atomic_files, a_folder_that_is_not_there_is_an_error) {
  EXPECT_EQ(message_of([&] { write_file(in("no/file"), "text"); }),
            in("no/file") + ": cannot create this file: No such file or directory");
  EXPECT_EQ(message_of([&] { write_file(folder_.path().string(), "text"); }),
            folder_.path().string() + ": cannot write this file: Is a directory");
}

}  // namespace
}  // namespace spillway
