#pragma once
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <spillway/platforms/config/descriptor.hpp>
#include <string>
#include <string_view>

namespace spillway {

/// Most bytes of a file with data, such as a trace, a graph, or results.
constexpr std::size_t max_data_bytes = std::size_t{1} << 30;
/// Most levels of a JSON text.
constexpr int max_json_depth = 64;

/// The bytes of a regular file. A pipe, a device or a folder, which could wait or read for ever, is refused,
/// as is a file of more than `most` bytes. Throws config_error.
std::string read_file(const std::filesystem::path& file, std::size_t most = max_data_bytes);

/// Opens a regular file to be read; what read_file() refuses is refused, but for the size. Returns its
/// number, which a descriptor is to have. Throws config_error.
int open_regular(const std::filesystem::path& file);

/// The text behind a byte-order mark, which some editors put in front of UTF-8.
std::string_view without_mark(std::string_view text);

/// A file of text, line by line, of which only a part is in memory. What open_regular() refuses is
/// refused, and a line of more than `longest` bytes. Throws config_error.
class line_reader {
public:
  explicit line_reader(const std::filesystem::path& file);

  static constexpr std::size_t longest = std::size_t{1} << 24;

  /// The next line without its end, and without a byte-order mark in front of the first, until that after it
  /// is asked for; none at the end of the file.
  std::optional<std::string_view> next();

private:
  const std::filesystem::path path_;
  const descriptor file_;
  std::string buffer_;
  std::size_t start_ = 0;  // of the next line
  bool begun_ = false;
  bool ended_ = false;  // there is no more than what is in the buffer
};

/// What is wrong with a JSON value, in the library's words but for its own numbers.
std::string json_words(const nlohmann::json::exception& error);

/// A JSON text. Throws config_error for a syntax error, with its place, more than max_json_depth levels, and
/// a NUL in a string.
/// @param name shown in errors
/// @param line of the file of that name, if the text is a line of it
nlohmann::ordered_json read_json(const std::string& text, const std::string& name, unsigned line = 0);

/// `file` as a path from `folder`; neither need exist.
std::filesystem::path path_from(const std::filesystem::path& folder, const std::filesystem::path& file);

}  // namespace spillway
