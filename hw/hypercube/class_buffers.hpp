#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace spillway {

/// Which of the numbered buffers of a node a message may take.
enum class buffer_rule : unsigned char {
  any,   ///< all of them: a network may deadlock
  hops,  ///< with r hops to go from this node, those up to `buffers` - 1 - r (Merlin and Schweitzer, 1980)
  hops_new_lowest,  ///< the same, but a new message only buffer 0
};

/// The message buffers of a node. A message takes the highest free one that it may, so that the low ones,
/// which all may use, stay free. A plain part, not a block.
///
/// The rule is free of deadlock: a message in buffer g has at most buffers - 1 - g hops to go, so the highest
/// buffer that it may take at the next node has a higher number than g.
class class_buffers {
public:
  static constexpr unsigned none = ~0u;  ///< no buffer

  /// `buffers`: 1 or more, else std::invalid_argument.
  class_buffers(unsigned buffers, buffer_rule rule) : rule_(rule), used_(buffers) {
    if (buffers == 0) throw std::invalid_argument("expected 1 buffer or more, found 0");
  }

  /// The buffer that a message gets which still has `hops` to go, or none. `fresh`: it has come from the
  /// host.
  unsigned find(unsigned hops, bool fresh) const {
    unsigned top = size() - 1;
    if (rule_ != buffer_rule::any) {
      if (hops > top) return none;
      top = fresh && rule_ == buffer_rule::hops_new_lowest ? 0 : top - hops;
    }
    for (unsigned g = top + 1; g-- > 0;)
      if (!used_[g]) return g;
    return none;
  }
  /// Of a free one.
  void take(unsigned buffer) {
    used_[buffer] = true;
    ++in_use_;
  }
  /// Of one that is taken.
  void give_back(unsigned buffer) {
    used_[buffer] = false;
    --in_use_;
  }
  /// All are free.
  void clear() {
    used_.assign(used_.size(), false);
    in_use_ = 0;
  }
  unsigned size() const { return static_cast<unsigned>(used_.size()); }  ///< buffers that there are
  unsigned in_use() const { return in_use_; }                            ///< buffers that are taken

private:
  const buffer_rule rule_;
  std::vector<bool> used_;
  unsigned in_use_ = 0;
};

}  // namespace spillway
