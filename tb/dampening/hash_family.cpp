#include <algorithm>
#include <spillway/tb/dampening/hash_family.hpp>

namespace spillway::theory {
namespace {

/// Does every uncovered buffer of a set find a holder among at most `left` other processors?
class cover_search {
public:
  cover_search(const buffer_sets& sets) : sets_(sets) {
    for (std::uint32_t p = 0; p < sets.size(); ++p) {
      for (const std::uint32_t b : sets[p]) {
        if (users_.size() <= b) users_.resize(b + 1);
        if (users_[b].empty() || users_[b].back() != p) users_[b].push_back(p);
      }
    }
    covered_.assign(users_.size(), 0);
  }
  bool can_block(std::uint32_t coolspot, std::uint32_t left) {
    const auto& own = sets_[coolspot];
    const auto open = std::find_if(own.begin(), own.end(), [&](auto b) { return covered_[b] == 0; });
    if (open == own.end()) return true;
    if (left == 0) return false;
    for (const std::uint32_t p : users_[*open]) {
      if (p == coolspot) continue;
      for (const std::uint32_t b : sets_[p]) ++covered_[b];
      const bool blocked = can_block(coolspot, left - 1);
      for (const std::uint32_t b : sets_[p]) --covered_[b];
      if (blocked) return true;
    }
    return false;
  }

private:
  const buffer_sets& sets_;
  buffer_sets users_;
  std::vector<std::uint32_t> covered_;
};

}  // namespace

bool is_k_perfect(const buffer_sets& sets, std::uint32_t k) {
  cover_search search(sets);
  // Fewer hotspots than k that block a coolspot block it with any others beside them, if there are enough.
  if (sets.empty() || k >= sets.size()) return true;
  for (std::uint32_t p = 0; p < sets.size(); ++p) {
    if (search.can_block(p, k)) return false;
  }
  return true;
}

std::uint64_t pairs_sharing_two(const buffer_sets& sets) {
  std::uint64_t pairs = 0;
  buffer_sets sorted = sets;
  for (auto& set : sorted) {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }
  std::vector<std::uint32_t> shared;
  for (std::size_t a = 0; a < sorted.size(); ++a) {
    for (std::size_t b = a + 1; b < sorted.size(); ++b) {
      shared.clear();
      std::set_intersection(sorted[a].begin(), sorted[a].end(), sorted[b].begin(), sorted[b].end(),
                            std::back_inserter(shared));
      if (shared.size() > 1) ++pairs;
    }
  }
  return pairs;
}

}  // namespace spillway::theory
