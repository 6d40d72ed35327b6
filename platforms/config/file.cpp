#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <system_error>

namespace spillway {

namespace {

/// An open file, closed at the end.
class descriptor {
public:
  // Without O_NONBLOCK a pipe would wait for its writer.
  explicit descriptor(const std::filesystem::path& file)
      : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  operator int() const { return number_; }

private:
  const int number_;
};

[[noreturn]] void cannot_read(const std::filesystem::path& file, int error) {
  throw config_error(
      fmt::format("{}: cannot be read: {}", file.string(), std::generic_category().message(error)));
}

/// What stands in the place of a file; empty if it is one.
const char* other_than_file(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return "a folder";
  return S_ISFIFO(mode) || S_ISSOCK(mode) ? "a pipe" : "a device";
}

std::string size_text(std::size_t bytes) {
  return bytes >> 30 ? fmt::format("{} GiB", bytes >> 30) : fmt::format("{} MiB", bytes >> 20);
}

}  // namespace

std::string read_file(const std::filesystem::path& file, std::size_t most) {
  if (file.native().find('\0') != std::string::npos)
    throw config_error(fmt::format("{}: found a NUL in the name of a file", file.c_str()));
  const descriptor in(file);
  struct stat status = {};
  if (in < 0 || ::fstat(in, &status) != 0) cannot_read(file, errno);
  if (const std::string found = other_than_file(status.st_mode); !found.empty())
    throw config_error(fmt::format("{}: found {}, expected a file", file.string(), found));

  std::string text;
  for (std::size_t room = static_cast<std::size_t>(status.st_size) + 1;;
       room = std::max<std::size_t>(room, 1 << 16)) {
    const std::size_t size = text.size();
    text.resize(size + std::min(room, most + 1 - size));
    const ssize_t got = ::read(in, text.data() + size, text.size() - size);
    if (got < 0 && errno != EINTR) cannot_read(file, errno);
    text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return text;
    if (text.size() > most)
      throw config_error(fmt::format("{}: found more than {}", file.string(), size_text(most)));
  }
}

nlohmann::ordered_json read_json(const std::string& text, const std::string& name) {
  using json = nlohmann::ordered_json;
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
    throw config_error(fmt::format("{}: not valid JSON: {}", name, error.what()));
  }
}

std::filesystem::path path_from(const std::filesystem::path& folder, const std::filesystem::path& file) {
  // proximate() finds no way from a path that does not exist, unless both are absolute.
  return std::filesystem::proximate(std::filesystem::absolute(file), std::filesystem::absolute(folder));
}

}  // namespace spillway
