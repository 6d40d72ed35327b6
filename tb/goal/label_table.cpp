#include <cctype>
#include <iterator>
#include <spillway/tb/goal/label_table.hpp>

namespace spillway {

namespace {

/// Letters and what follows them up to a number at the end that can be counted: without a leading 0.
std::size_t prefix_length(std::string_view label) {
  std::size_t at = label.size();
  while (at > 0 && std::isdigit(static_cast<unsigned char>(label[at - 1]))) --at;
  const std::size_t digits = label.size() - at;
  const bool counts = digits >= 1 && digits <= 18 && (label[at] != '0' || digits == 1);
  return counts ? at : label.size();
}

}  // namespace

std::optional<std::uint64_t> label_table::number_of(std::string_view label) const {
  const std::size_t at = prefix_length(label);
  if (at == label.size() || label.substr(0, at) != prefix_) return std::nullopt;
  std::uint64_t number = 0;
  for (const char c : label.substr(at)) number = number * 10 + static_cast<std::uint64_t>(c - '0');
  return number;
}

std::optional<std::uint32_t> label_table::find(std::string_view label) const {
  if (const auto number = number_of(label)) {
    auto after = runs_.upper_bound(*number);
    if (after == runs_.begin()) return std::nullopt;
    const auto& [first, found] = *std::prev(after);
    if (*number - first >= found.count) return std::nullopt;
    return found.op + static_cast<std::uint32_t>(*number - first);
  }
  const auto found = others_.find(std::string(label));
  if (found == others_.end()) return std::nullopt;
  return found->second;
}

bool label_table::add(std::string_view label, std::uint32_t op) {
  if (prefix_.empty() && runs_.empty()) prefix_ = std::string(label.substr(0, prefix_length(label)));
  if (find(label)) return false;
  const auto number = number_of(label);
  if (!number) return others_.emplace(label, op).second;
  const auto after = runs_.upper_bound(*number);
  if (after != runs_.begin()) {
    auto& [first, before] = *std::prev(after);
    if (*number == first + before.count && op == before.op + before.count) {
      ++before.count;
      return true;
    }
  }
  runs_.emplace(*number, run{op, 1});
  return true;
}

}  // namespace spillway
