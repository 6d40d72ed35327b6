#include <fmt/format.h>

#include <spillway/platforms/config/place.hpp>

namespace spillway {

std::string place::text() const { return line > 0 ? fmt::format("{}:{}:{}", file, line, column) : file; }

namespace {

void erase_below(std::map<std::string, place>& places, const std::string& at) {
  places.erase(at);
  // '0' follows '/': the range holds exactly the pointers that go on below.
  places.erase(places.lower_bound(at + '/'), places.lower_bound(at + '0'));
}

}  // namespace

void source_map::erase(const std::string& at) {
  erase_below(values_, at);
  erase_below(keys_, at);
}

void source_map::graft(const std::string& at, const source_map& other) {
  for (const auto& [below, where] : other.values_) values_[at + below] = where;
  for (const auto& [below, where] : other.keys_) keys_[at + below] = where;
}

place source_map::value(pointer at) const {
  for (;; at.pop_back()) {
    if (const auto found = values_.find(at.to_string()); found != values_.end()) return found->second;
    if (at.empty()) return {};
  }
}

place source_map::key(const pointer& at) const {
  const auto found = keys_.find(at.to_string());
  return found != keys_.end() ? found->second : value(at);
}

std::string dotted(nlohmann::json::json_pointer at) {
  std::string text;
  for (; !at.empty(); at.pop_back()) text = text.empty() ? at.back() : at.back() + '.' + text;
  return text;
}

}  // namespace spillway
