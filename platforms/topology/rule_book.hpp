#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace spillway {

/// A channel that a packet asks for next.
struct channel_wish {
  std::uint32_t channel;
  bool sure;  ///< the packet may wait for this one alone; otherwise it never needs it
};
inline bool operator==(const channel_wish& a, const channel_wish& b) {
  return a.channel == b.channel && a.sure == b.sure;
}

/// What packets of some flows do that have come as far as one channel.
struct channel_rule {
  std::uint32_t label = 0;  ///< the highest order of what such a packet may hold
  std::vector<channel_wish> wishes;
};
inline bool operator==(const channel_rule& a, const channel_rule& b) {
  return a.label == b.label && a.wishes == b.wishes;
}

/// The rules of a channel, and which of them each flow keeps to. Flows come in ascending order.
class rule_book {
public:
  std::uint32_t number_of(const channel_rule& what) {
    const auto found = std::find(rules_.begin(), rules_.end(), what);
    const auto at = static_cast<std::uint32_t>(found - rules_.begin());
    if (found == rules_.end()) rules_.push_back(what);
    return at;
  }
  void add(std::uint64_t first, std::uint64_t last, std::uint32_t rule) {
    if (!runs_.empty() && runs_.back().rule == rule && runs_.back().last + 1 == first)
      runs_.back().last = last;
    else
      runs_.push_back({first, last, rule});
  }
  const std::vector<channel_rule>& rules() const { return rules_; }
  bool empty() const { return rules_.empty(); }
  /// The flows of each rule: `0-3,7`.
  std::vector<std::string> flows() const {
    std::vector<std::string> sets(rules_.size());
    for (const run& r : runs_) {
      std::string& set = sets[r.rule];
      if (!set.empty()) set += ',';
      fmt::format_to(std::back_inserter(set), r.first == r.last ? "{}" : "{}-{}", r.first, r.last);
    }
    return sets;
  }

private:
  struct run {
    std::uint64_t first, last;
    std::uint32_t rule;
  };
  std::vector<channel_rule> rules_;
  std::vector<run> runs_;
};

}  // namespace spillway
