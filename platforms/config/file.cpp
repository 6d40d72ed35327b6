#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <string_view>
#include <system_error>
#include <utility>

namespace spillway {

namespace {

constexpr std::size_t read_at_once = 1 << 16;

[[noreturn]] void cannot_read(const std::filesystem::path& file, int error) {
  throw config_error(
      fmt::format("{}: cannot be read: {}", file.string(), std::generic_category().message(error)));
}

/// What stands in the place of a file.
const char* other_than_file(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  return S_ISFIFO(mode) || S_ISSOCK(mode) ? "a pipe" : "a device";
}

std::string size_text(std::size_t bytes) {
  return bytes >> 30 ? fmt::format("{} GiB", bytes >> 30) : fmt::format("{} MiB", bytes >> 20);
}

/// Reads on, up to `most` bytes; false at the end of the file.
bool append(int in, std::string& text, std::size_t most, const std::filesystem::path& file) {
  const std::size_t size = text.size();
  text.resize(size + most);
  ssize_t got;
  do got = ::read(in, text.data() + size, most);
  while (got < 0 && errno == EINTR);
  if (got < 0) cannot_read(file, errno);
  text.resize(size + static_cast<std::size_t>(got));
  return got != 0;
}

}  // namespace

int open_regular(const std::filesystem::path& file) {
  if (file.native().find('\0') != std::string::npos)
    throw config_error(fmt::format("{}: found a NUL in the name of a file", file.c_str()));
  // Without O_NONBLOCK a pipe would wait for its writer.
  const int in = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (in < 0) cannot_read(file, errno);
  struct stat status = {};
  if (::fstat(in, &status) == 0 && S_ISREG(status.st_mode)) return in;
  ::close(in);
  throw config_error(
      fmt::format("{}: found {}, expected a file", file.string(), other_than_file(status.st_mode)));
}

std::string read_file(const std::filesystem::path& file, std::size_t most) {
  const descriptor in(open_regular(file));
  struct stat status = {};
  ::fstat(in, &status);
  std::string text;
  for (std::size_t room = static_cast<std::size_t>(status.st_size) + 1;;
       room = std::max(room, read_at_once)) {
    if (!append(in, text, std::min(room, most + 1 - text.size()), file)) return text;
    if (text.size() > most)
      throw config_error(fmt::format("{}: found more than {}", file.string(), size_text(most)));
  }
}

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.substr(0, mark.size()) == mark ? text.substr(mark.size()) : text;
}

line_reader::line_reader(const std::filesystem::path& file) : path_(file), file_(open_regular(file)) {}

std::optional<std::string_view> line_reader::next() {
  std::size_t searched = start_;
  for (;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos || (ended_ && start_ < buffer_.size())) {
      const std::string_view line = std::string_view(buffer_).substr(start_, end - start_);
      start_ = std::min(end, buffer_.size() - 1) + 1;
      return std::exchange(begun_, true) ? line : without_mark(line);
    }
    if (ended_) return std::nullopt;
    buffer_.erase(0, start_);
    start_ = 0;
    searched = buffer_.size();
    if (searched > longest)
      throw config_error(fmt::format("{}: found a line of more than {}", path_.string(), size_text(longest)));
    ended_ = !append(file_, buffer_, read_at_once, path_);
  }
}

std::string json_words(const nlohmann::json::exception& error) {
  const std::string_view text = error.what();  // [json.exception.parse_error.101] parse error at ...
  const std::size_t end = text.find("] ");
  return std::string(end == std::string_view::npos ? text : text.substr(end + 2));
}

nlohmann::ordered_json read_json(const std::string& text, const std::string& file, unsigned in_line) {
  using json = nlohmann::ordered_json;
  const std::string name = in_line ? fmt::format("{}:{}:1", file, in_line) : file;
  // A tree of any depth can be read, but not copied, compared or written: that is done by recursion.
  const auto check = [&name](int depth, json::parse_event_t, json& value) {
    if (depth > max_json_depth)
      throw config_error(fmt::format("{}: found more than {} levels of nesting", name, max_json_depth));
    if (value.is_string() && value.get_ref<const std::string&>().find('\0') != std::string::npos)
      throw config_error(name + ": found a NUL in a text");
    return true;
  };
  try {
    return json::parse(text, check);
  } catch (const json::exception& error) {
    const std::string words = json_words(error);
    unsigned line = 0, column = 0;
    int skipped = 0;
    if (std::sscanf(words.c_str(), "parse error at line %u, column %u: %n", &line, &column, &skipped) == 2 &&
        skipped)
      throw config_error(fmt::format("{}:{}:{}: not valid JSON: {}", file, in_line ? in_line : line, column,
                                     words.substr(static_cast<std::size_t>(skipped))));
    throw config_error(fmt::format("{}: not valid JSON: {}", name, words));
  }
}

std::filesystem::path path_from(const std::filesystem::path& folder, const std::filesystem::path& file) {
  // proximate() finds no way from a path that does not exist, unless both are absolute.
  return std::filesystem::proximate(std::filesystem::absolute(file), std::filesystem::absolute(folder));
}

}  // namespace spillway
