#pragma once
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <spillway/platforms/config/descriptor.hpp>
#include <spillway/tb/goal/goal_program.hpp>
#include <string>
#include <string_view>

namespace spillway {

/// A place in a GOAL file from which it can be read on.
struct goal_place {
  std::uint64_t offset = 0;  ///< of the line, in bytes
  std::uint64_t line = 1;
  std::size_t at = 0;  ///< in the line, from 0
};

inline constexpr std::size_t whole_window = std::size_t{1} << 18;  ///< bytes, of a pass over the file
inline constexpr std::size_t all_windows = std::size_t{1} << 25;   ///< of all ranks together

/// A file that several readers share, each with a window of its own. Throws config_error when it cannot be
/// read: also for a pipe, a device or a folder, which could wait for ever.
class goal_bytes {
public:
  explicit goal_bytes(std::filesystem::path path);

  /// Up to `size` bytes from `offset` on; 0 at the end.
  std::size_t read(std::uint64_t offset, char* to, std::size_t size) const;
  std::uint64_t size() const { return size_; }
  const std::filesystem::path& path() const { return path_; }

private:
  const std::filesystem::path path_;
  const descriptor file_;
  std::uint64_t size_ = 0;
};

/// A statement of a GOAL file.
struct goal_statement {
  enum class what : std::uint8_t { end_of_file, num_ranks, rank, close, op, needs };
  what is = what::end_of_file;
  std::uint64_t number = 0;  ///< of num_ranks and rank
  goal_op op;
  std::string_view label, on;  ///< of the operation; `label` requires `on`; valid until the next statement
  bool on_start = false;
  std::uint32_t on_column = 0;
};

/// Reads a GOAL file statement by statement: `num_ranks 2`, `rank 0 {`, `l1: calc 100 cpu 0`,
/// `l2: send 10b to 1 tag 5 cpu 0 nic 0`, `l3: recv 10b from 1 tag 5`, `l2 requires l1`, `l3 irequires l1`,
/// `}`;
/// `//` and `/* */` are comments, -1 is any source or any tag. Throws config_error with `file:line:column`.
class goal_scanner {
public:
  /// `window`: bytes that it keeps; a line may be as long, at most longest_line.
  goal_scanner(std::shared_ptr<const goal_bytes> bytes, const goal_place& from, std::size_t window);

  static constexpr std::size_t longest_line = 4096;

  goal_statement next();
  /// Behind the last statement.
  goal_place place() const { return {line_offset_, line_, at_}; }
  [[noreturn]] void fail(std::uint32_t column, const std::string& message) const;
  /// At the statement read last.
  [[noreturn]] void fail(const std::string& message) const { fail(column_, message); }

private:
  bool next_line();
  bool fill();
  void blank_comments();
  std::string_view peek();
  std::string_view take();
  void expect(std::string_view word);
  std::uint64_t take_number(const char* what, std::uint64_t most);
  std::uint64_t take_bytes();
  std::uint32_t take_peer(bool any, const char* what);
  void read_op(goal_statement& s, std::string_view word);
  void read_options(goal_op& op);
  void end_statement();
  [[noreturn]] void unexpected(const std::string& expected);

  const std::shared_ptr<const goal_bytes> bytes_;
  const std::size_t window_;
  std::string buffer_;
  std::size_t start_ = 0;        // of the next line in the buffer
  std::uint64_t buffer_offset_;  // of the buffer in the file
  std::string text_;             // the line, comments blanked
  std::uint64_t line_offset_, line_;
  std::size_t at_ = 0;
  std::uint32_t column_ = 1;
  bool in_comment_ = false;
  std::size_t skip_;
};

}  // namespace spillway
