#pragma once
#include <charconv>
#include <filesystem>
#include <spillway/platforms/config/file.hpp>
#include <spillway/tb/traffic/entries.hpp>
#include <string>
#include <string_view>

namespace spillway {

/// Numbers in a text file, separated by commas or blanks, line by line; lines that are empty or begin with
/// `#` do not count. What is wrong with the file is reported with `file:line:column`.
class number_lines {
public:
  /// @param key of the entry, with the name of the file
  /// @param heading how a first line begins that names the columns
  number_lines(const traffic_context& context, const std::string& key, const std::string& heading);

  /// Goes on to the next line, if there is one.
  bool next();
  /// Whether the line has more numbers.
  bool more();
  /// The next number of the line. @param expected what the line should be, in words
  template <class T>
  T read(const std::string& expected) {
    more();
    T value{};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    const auto past = static_cast<std::size_t>(end - text_.data());
    if (error != std::errc{} ||
        (past < text_.size() && separators.find(text_[past]) == std::string_view::npos))
      fail("expected " + expected);
    last_ = at_;
    at_ = past;
    return value;
  }
  /// Throws config_error at the number read last, or where one is missing.
  [[noreturn]] void fail_at_last(const std::string& message) {
    at_ = last_;
    fail(message);
  }
  [[noreturn]] void fail(const std::string& message) const;

private:
  static constexpr std::string_view separators = ", \t\r";

  const std::filesystem::path path_;
  const std::string heading_;
  line_reader lines_;
  std::string_view text_;                       // the line
  std::size_t number_ = 0, at_ = 0, last_ = 0;  // line; columns, from 0
};

}  // namespace spillway
