#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

namespace spillway {

/// A file or folder could not be written or read. what() is the finished message: the path and the reason.
struct io_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file that appears whole or not at all: it is written without a name, or under a temporary one in the
/// folder of its target, and renamed by commit(). A target that is there and is no regular file (a device, a
/// pipe) is written straight; a link is followed. Any failure, such as a full disk, throws io_error.
class atomic_file {
public:
  /// Opens it. Throws io_error, also for a name with a NUL.
  explicit atomic_file(std::string path);
  /// Without commit() nothing is left behind, and an old target stays as it was.
  ~atomic_file();
  atomic_file(const atomic_file&) = delete;
  atomic_file& operator=(const atomic_file&) = delete;

  /// Appends; buffered, so call it a line at a time. Throws io_error.
  void write(std::string_view text);
  /// Hands all bytes to the system and closes: from here on only the renaming can fail. Throws io_error.
  void close();
  /// Closes and renames. Throws io_error.
  void commit();
  const std::string& path() const { return path_; }

private:
  void flush();
  void name_it();
  [[noreturn]] void fail(const char* doing, int error);

  const std::string path_;
  std::string target_, temporary_;  // temporary_ is empty when target_ is written straight
  std::string buffer_;
  int file_ = -1;
  bool unnamed_ = false;  // temporary_ is the name that it will have
  bool closed_ = false;
};

/// Writes one whole file atomically. Throws io_error.
void write_file(const std::string& path, std::string_view text);

/// Creates the folder and those above it. Throws io_error, also for a folder that nothing can be written
/// into. Returns whether it was not there before.
bool make_folder(const std::string& path);

}  // namespace spillway
