#pragma once
#include <algorithm>
#include <cstdint>
#include <spillway/hw/isolation/isolation_link.hpp>
#include <vector>

namespace spillway {

/// The roots that the other end of a link has set and not cleared. A plain part; there are few.
class heard_roots {
public:
  /// What its pin shows in a cycle.
  void hear(const tree_message& m) {
    if (m.set && !contains(m.root)) roots_.push_back(m.root);
    if (m.clear) roots_.erase(std::remove(roots_.begin(), roots_.end(), m.root), roots_.end());
  }
  bool contains(std::uint32_t root) const {  ///< it is set
    return std::find(roots_.begin(), roots_.end(), root) != roots_.end();
  }
  bool empty() const { return roots_.empty(); }       ///< none is
  std::size_t size() const { return roots_.size(); }  ///< so many are
  void clear() { roots_.clear(); }                    ///< reset

private:
  std::vector<std::uint32_t> roots_;
};

/// What this end has to tell the other of roots, a change a cycle. A plain part.
class told_roots {
public:
  /// The root is set from now on, or no longer.
  void say(std::uint32_t root, bool set) {
    for (entry& e : entries_)
      if (e.root == root) {
        e.now = set;
        return;
      }
    if (set) entries_.push_back({root, true, false});
  }
  bool says(std::uint32_t root) const {  ///< it is set, told or not
    return std::any_of(entries_.begin(), entries_.end(),
                       [root](const entry& e) { return e.root == root && e.now; });
  }
  /// The oldest change that has not been told; it is, then. An empty message: there is none.
  tree_message next() {
    tree_message m;
    for (entry& e : entries_)
      if (e.now != e.told) {
        e.told = e.now;
        m = {e.root, e.now, !e.now};
        break;
      }
    entries_.erase(
        std::remove_if(entries_.begin(), entries_.end(), [](const entry& e) { return !e.now && !e.told; }),
        entries_.end());
    return m;
  }
  void clear() { entries_.clear(); }  ///< reset

private:
  struct entry {
    std::uint32_t root;
    bool now, told;
  };
  std::vector<entry> entries_;
};

}  // namespace spillway
