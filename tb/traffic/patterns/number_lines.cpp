#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/config/named_file.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/traffic/patterns/number_lines.hpp>
#include <sstream>

namespace spillway {

namespace {

std::vector<std::string> names_of(const std::string& columns) {
  std::vector<std::string> names;
  std::istringstream in(columns);
  for (std::string one; std::getline(in, one, ',');) names.push_back(one);
  return names;
}

}  // namespace

number_lines::number_lines(const traffic_context& c, const std::string& key, const std::string& columns)
    : path_(named_file(c.file, c.at / key)), columns_(names_of(columns)), lines_(path_) {}

bool number_lines::next() {
  while (const std::optional<std::string_view> line = lines_.next()) {
    text_ = *line;
    ++number_;
    at_ = last_ = 0;
    ended_ = false;
    if (has_names()) {
      check_names();
      at_ = 0;
      continue;
    }
    if (text_.empty() || text_[0] == '#' || text_.find_first_not_of(separators) == std::string_view::npos)
      continue;
    return true;
  }
  text_ = {};
  return false;
}

bool number_lines::has_names() const {
  return number_ == 1 && text_.substr(0, text_.find_first_of(separators)) == columns_.front();
}

/// They say nothing but what is known: another order would be another table.
void number_lines::check_names() {
  for (std::size_t i = 1; (at_ = text_.find_first_of(separators, at_)) != std::string_view::npos; ++i) {
    ended_ = true;
    if (!more() || i == columns_.size()) break;
    const std::string_view name = text_.substr(at_, text_.find_first_of(separators, at_) - at_);
    if (name != columns_[i]) fail(fmt::format("found the column '{}', expected '{}'", name, columns_[i]));
  }
}

bool number_lines::more() {
  const auto skip_blanks = [this] { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); };
  skip_blanks();
  if (ended_ && at_ < text_.size() && text_[at_] == ',') {
    ++at_;
    skip_blanks();
  }
  ended_ = false;
  return at_ < text_.size();
}

void number_lines::fail_at_cell(const std::string& expected) const {
  const std::string cell(text_.substr(at_, text_.find_first_of(separators, at_) - at_));
  fail(fmt::format("expected {}, found {}", expected,
                   cell.empty() ? "nothing" : '\'' + one_line(cell) + '\''));
}

void number_lines::fail(const std::string& message) const {
  throw config_error(
      fmt::format("{}:{}:{}: {}", path_.string(), std::max<std::size_t>(number_, 1), at_ + 1, message));
}

}  // namespace spillway
