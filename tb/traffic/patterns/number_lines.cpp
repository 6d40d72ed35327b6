#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/config/named_file.hpp>
#include <spillway/tb/traffic/patterns/number_lines.hpp>

namespace spillway {

number_lines::number_lines(const traffic_context& c, const std::string& key, const std::string& heading)
    : path_(named_file(c.file, c.at / key)), heading_(heading), lines_(path_) {}

bool number_lines::next() {
  while (const std::optional<std::string_view> line = lines_.next()) {
    text_ = *line;
    ++number_;
    at_ = last_ = 0;
    const bool heading = number_ == 1 && text_.substr(0, heading_.size()) == heading_;
    if (text_.empty() || text_[0] == '#' || heading || !more()) continue;
    return true;
  }
  text_ = {};
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
