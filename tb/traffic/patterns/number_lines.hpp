#pragma once
#include <charconv>
#include <filesystem>
#include <spillway/platforms/config/file.hpp>
#include <spillway/tb/traffic/entries.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace spillway {

/// Numbers in a text file, separated by commas or blanks, line by line; lines that are empty or begin with
/// `#` do not count. A comma ends one cell, which may be empty. What is wrong with the file is reported with
/// `file:line:column`.
class number_lines {
public:
  /// @param key of the entry, with the name of the file
  /// @param columns what a first line that names the columns has, in this order, or the first of it; a first
  /// line that does not begin so is one of numbers
  number_lines(const traffic_context& context, const std::string& key, const std::string& columns);

  /// Goes on to the next line, if there is one. Throws config_error for names of columns in another order.
  bool next();
  /// Whether the line has more cells. One behind the last comma counts only if it is not empty.
  bool more();
  /// The next number of the line, or `value` where its cell is empty or there is none.
  template <class T>
  T read_or(T value, const std::string& expected) {
    if (more() && text_[at_] != ',') return read<T>(expected);
    last_ = at_;
    ended_ = true;
    return value;
  }
  /// The next number of the line. @param expected what the line should be, in words
  template <class T>
  T read(const std::string& expected) {
    more();
    T value{};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    const auto past = static_cast<std::size_t>(end - text_.data());
    if (error != std::errc{} ||
        (past < text_.size() && separators.find(text_[past]) == std::string_view::npos))
      fail_at_cell(expected);
    last_ = at_;
    at_ = past;
    ended_ = true;
    return value;
  }
  /// Throws config_error at the number read last, or where one is missing.
  [[noreturn]] void fail_at_last(const std::string& message) {
    at_ = last_;
    fail(message);
  }
  [[noreturn]] void fail(const std::string& message) const;

private:
  [[noreturn]] void fail_at_cell(const std::string& expected) const;

  static constexpr std::string_view blanks = " \t\r", separators = ", \t\r";

  bool has_names() const;
  void check_names();

  const std::filesystem::path path_;
  const std::vector<std::string> columns_;
  line_reader lines_;
  std::string_view text_;                       // the line
  std::size_t number_ = 0, at_ = 0, last_ = 0;  // line; columns, from 0
  bool ended_ = false;                          // a cell has, so that a comma is its own
};

}  // namespace spillway
