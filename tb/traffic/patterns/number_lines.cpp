#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/config/file.hpp>
#include <spillway/tb/traffic/patterns/number_lines.hpp>

namespace spillway {

number_lines::number_lines(const traffic_context& c, const std::string& key, const std::string& heading)
    : path_(c.file.resolve(c.section().at(key).get<std::string>())), heading_(heading) {
  try {
    file_ = read_file(path_);
  } catch (const config_error& error) {
    c.fail(key, error.what());
  }
}

bool number_lines::next() {
  while (start_ < file_.size()) {
    const std::size_t end = std::min(file_.find('\n', start_), file_.size());
    text_ = file_.substr(start_, end - start_);
    start_ = end + 1;
    ++number_;
    at_ = last_ = 0;
    const bool heading = number_ == 1 && text_.rfind(heading_, 0) == 0;
    if (text_.empty() || text_[0] == '#' || heading || !more()) continue;
    return true;
  }
  return false;
}

bool number_lines::more() {
  at_ = std::min(text_.find_first_not_of(separators, at_), text_.size());
  return at_ < text_.size();
}

void number_lines::fail(const std::string& message) const {
  throw config_error(
      fmt::format("{}:{}:{}: {}", path_.string(), std::max<std::size_t>(number_, 1), at_ + 1, message));
}

}  // namespace spillway
