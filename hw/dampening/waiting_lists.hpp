#pragma once
#include <cstdint>
#include <spillway/hw/dampening/assignment.hpp>
#include <vector>

namespace spillway {

/// The bookkeeping of the emergency-backup scheme (Kuszmaul and Kuszmaul, section VIII.B and figures 1 and
/// 2): a doubly-linked waiting list for each buffer, with the processors that are embargoed and could use it.
/// The nodes of one processor are linked too, so that it leaves all its lists in as many steps as it
/// has buffers. One more list is for those that any buffer would do. A plain part, not a block.
class waiting_lists {
public:
  /// Number of a processor that waits, until it is removed.
  using waiter = std::uint32_t;
  static constexpr waiter nobody = ~waiter{0};

  explicit waiting_lists(unsigned buffers) : heads_(buffers + 1), tails_(buffers + 1) { clear(); }

  /// The processor joins the ends of these lists, or of the list for any buffer if there are none.
  waiter add(message_key processor, buffer_span buffers);
  void remove(waiter w);
  void clear();

  /// Who has waited longest for this buffer.
  waiter first(unsigned buffer) const;
  message_key processor(waiter w) const { return waiters_[w].processor; }
  /// The processors in the list of a buffer, the longest-waiting first. For tests.
  std::vector<message_key> list(unsigned buffer) const;

  std::size_t waiting() const { return waiting_; }
  /// Nodes linked and unlinked so far.
  std::uint64_t work() const { return work_; }

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct node {
    std::uint32_t before = none, after = none;  // in the list
    std::uint32_t sibling = none;               // next node of the same waiter, or next free node
    std::uint32_t owner = none;
    std::uint16_t list = 0;
  };
  struct record {
    message_key processor = 0;
    std::uint32_t nodes = none;  // the first; or the next free waiter
    std::uint64_t since = 0;
  };

  std::uint32_t new_node();
  void append(unsigned list, waiter w);
  void unlink(std::uint32_t n);

  std::vector<std::uint32_t> heads_, tails_;  // by list; the last is for any buffer
  std::vector<node> nodes_;
  std::vector<record> waiters_;
  std::uint32_t free_node_ = none;
  waiter free_waiter_ = none;
  std::size_t waiting_ = 0;
  std::uint64_t turn_ = 0, work_ = 0;
};

}  // namespace spillway
