#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/dampening/buffer_sets.hpp>
#include <spillway/hw/dampening/dampening_rule.hpp>
#include <spillway/hw/dampening/impact_array.hpp>
#include <spillway/hw/dampening/key_table.hpp>
#include <spillway/hw/kernel/hardware_size.hpp>
#include <vector>

namespace spillway {

/// Who decides about a message's buffer: its destination or, in the first half of the square-root scheme,
/// its source. Pools keep apart what has different keys, and links stop one key at a time.
using message_key = std::uint32_t;

/// Some buffers of a pool.
struct buffer_span {
  const std::uint16_t* first = nullptr;  ///< numbers of buffers, of which the span owns none
  std::size_t count = 0;                 ///< of these
  /// @{
  /// From the first on.
  const std::uint16_t* begin() const { return first; }
  const std::uint16_t* end() const { return first + count; }
  /// @}
};

/// A rule by which the buffers of one pool are given to messages, with the buffers that are taken. Kept by
/// the pool itself or, as an exact image of it, by the sender of the pool's link. A plain part, not a block.
class assignment {
public:
  static constexpr unsigned none = 0xffff;  ///< no buffer

  /// A processor that became or ceased to be a declared hotspot.
  struct declaration {
    message_key key;  ///< the processor
    bool hot;         ///< it became one; else it ceased
  };

  virtual ~assignment() = default;
  unsigned buffers() const { return static_cast<unsigned>(owner_.size()); }  ///< of the pool, 1 to 65,534
  unsigned used() const { return used_; }                                    ///< buffers that are taken
  /// Whose message the buffer is taken for; all bits set: it is free.
  message_key owner(unsigned buffer) const { return owner_[buffer]; }
  /// Whether a message of that key has the buffer.
  bool holds(unsigned buffer, message_key key) const { return key != nobody && owner_[buffer] == key; }

  /// Flow control: whether a message may be sent to the pool now.
  virtual bool admits(message_key key) const = 0;
  /// A buffer for a message that has come; `none` when it has to be kept elsewhere.
  virtual unsigned take(message_key key) = 0;
  virtual void release(unsigned buffer) = 0;  ///< a buffer that is taken; std::logic_error for a free one
  virtual void clear();                       ///< reset: all buffers free, nothing declared
  /// The buffers of which any, once released, lets in a message that found none; empty: any buffer does.
  virtual buffer_span waits_for(message_key key) const = 0;
  /// Most buffers of which waits_for() speaks.
  virtual unsigned most_choices() const { return 0; }
  /// Most processors that may be declared hotspots at a time.
  virtual unsigned most_declared() const { return 0; }
  /// The buffers that messages of the key may lie in at all, whatever is taken; empty: any. Rules that give
  /// sets to keys as they meet them meet the key.
  virtual buffer_span set_of(message_key /*key*/) { return {}; }
  /// Most buffers that a key may have, where the rule counts to a limit; else 0.
  virtual unsigned limit() const { return 0; }
  /// Whether the pool stops all senders when its buffers are full: rules that do not keep emergency buffers
  /// for a message of each processor.
  virtual bool stops_all_when_full() const = 0;

  /// Changes of the declared hotspots since the last call of forget_declarations(); only rules that count
  /// declare, before a message is turned away.
  const std::vector<declaration>& declarations() const { return declarations_; }
  void forget_declarations() { declarations_.clear(); }  ///< they have been passed on

  /// What it keeps: which buffers are taken, and what its rule asks for. Sets that follow from a key are
  /// logic.
  virtual hardware_size storage() const { return {0, 0, buffers()}; }
  /// Steps that the rule has taken so far: buffers looked at, entries moved.
  std::uint64_t work() const { return work_; }
  /// Steps that keep the processors sorted by their impact; 0 where nobody looks at it.
  virtual std::uint64_t impact_steps() const { return 0; }

protected:
  static constexpr message_key nobody = ~message_key{0};  ///< owner of a free buffer

  explicit assignment(unsigned buffers);  ///< `buffers`: 1 to 65,534, else std::invalid_argument
  bool full() const { return used_ == owner_.size(); }  ///< no buffer is free
  unsigned first_free(buffer_span set) const;           ///< of a set, in its order; `none` if all are taken
  bool taken(unsigned buffer) const { return owner_[buffer] != nobody; }  ///< the buffer has an owner
  /// A free buffer is taken for the key; std::logic_error if it is taken.
  void mark(unsigned buffer, message_key key);
  void unmark(unsigned buffer);  ///< a taken one is free; std::logic_error if it is free

  std::vector<declaration> declarations_;  ///< since they were last forgotten, in their order
  mutable std::uint64_t work_ = 0;         ///< steps so far, see work()

private:
  std::vector<message_key> owner_;  // by buffer
  unsigned used_ = 0;
};

/// The sets of a mapping in one piece of memory, shared by all pools that use it.
class set_table {
public:
  /// Throws std::invalid_argument when a set names a buffer that is not below `buffers`.
  set_table(const buffer_sets& sets, unsigned buffers);
  unsigned buffers() const { return buffers_; }  ///< of the pool, 1 to 65,534
  /// Buffers of the largest set.
  unsigned largest() const { return largest_; }
  /// Sets: keys are below it.
  std::uint32_t size() const { return static_cast<std::uint32_t>(start_.size() - 1); }
  /// Buffers of a key, in the order in which they are tried.
  buffer_span operator[](message_key key) const {
    return {list_.data() + start_[key], start_[key + 1] - start_[key]};
  }

private:
  const unsigned buffers_;
  unsigned largest_ = 0;
  std::vector<std::uint32_t> start_;
  std::vector<std::uint16_t> list_;
};

/// Each key may use the buffers of its set only: all mappings of set_family, and the square-root scheme.
class set_assignment final : public assignment {
public:
  /// `sets`: of the keys from 0 on; other keys must not be asked for.
  explicit set_assignment(std::shared_ptr<const set_table> sets);

  bool admits(message_key key) const override { return first_free((*sets_)[key]) != none; }
  unsigned take(message_key key) override;
  void release(unsigned buffer) override { unmark(buffer); }  ///< std::logic_error if it is free
  buffer_span waits_for(message_key key) const override { return (*sets_)[key]; }
  buffer_span set_of(message_key key) override { return (*sets_)[key]; }
  unsigned most_choices() const override { return sets_->largest(); }
  bool stops_all_when_full() const override { return false; }

private:
  const std::shared_ptr<const set_table> sets_;
};

/// Section V: keys that are not numbers 0..P - 1, such as network addresses, get the sets of a table one
/// after the other, in the order in which the pool meets them. There are as many sets as keys are expected;
/// one more is a std::length_error. A reset forgets them all.
class discovered_assignment final : public assignment {
public:
  /// `sets`: as many as keys are expected.
  explicit discovered_assignment(std::shared_ptr<const set_table> sets);

  bool admits(message_key key) const override { return first_free(waits_for(key)) != none; }
  unsigned take(message_key key) override;
  void release(unsigned buffer) override { unmark(buffer); }  ///< std::logic_error if it is free
  void clear() override;                                      ///< also forgets the keys
  /// The set of the key, or that it would get now.
  buffer_span waits_for(message_key key) const override;
  buffer_span set_of(message_key key) override;
  unsigned most_choices() const override { return sets_->largest(); }
  bool stops_all_when_full() const override { return false; }
  /// And the key of each set.
  hardware_size storage() const override { return {0, sets_->size(), buffers()}; }

private:
  void meet(message_key key);

  const std::shared_ptr<const set_table> sets_;
  key_table<std::uint32_t> order_;  // in which keys were met
};

/// Any buffer, of which rules of counting then deny some.
class any_buffer_assignment : public assignment {
public:
  /// @{
  /// As those of assignment.
  void release(unsigned buffer) override;
  void clear() override;
  /// @}
  bool stops_all_when_full() const override { return true; }
  /// And the list of those that are free.
  hardware_size storage() const override {
    return {0, 0, std::uint64_t{buffers()} * (1 + bits_below(buffers())) + bits_to(buffers())};
  }

protected:
  explicit any_buffer_assignment(unsigned buffers);  ///< `buffers`: 1 to 65,534, else std::invalid_argument
  unsigned take_any(message_key key);  ///< the free buffer that was released last; there must be one

private:
  std::vector<std::uint16_t> free_;
};

/// Section III: at most `limit` buffers a key. Dias and Kumar's rule is limit 1 in a pool an input port; the
/// unrestricted pool is limit B. A key with `limit` messages is a declared hotspot.
class counting_assignment final : public any_buffer_assignment {
public:
  /// `limit`: 1 to `buffers`, else std::invalid_argument.
  counting_assignment(unsigned buffers, unsigned limit);

  bool admits(message_key key) const override { return !full() && count(key) < limit_; }
  unsigned take(message_key key) override;
  /// @{
  /// As those of assignment.
  void release(unsigned buffer) override;
  void clear() override;
  /// @}
  buffer_span waits_for(message_key key) const override;
  unsigned most_choices() const override { return limit_; }
  unsigned most_declared() const override { return buffers() / limit_; }
  unsigned limit() const override { return limit_; }
  /// And each key with its count and the ring of its buffers. Without a limit nothing is counted.
  hardware_size storage() const override {
    if (limit_ == buffers()) return any_buffer_assignment::storage();
    const unsigned number = bits_below(buffers());
    return any_buffer_assignment::storage() +
           buffers() * hardware_size{0, 1, bits_to(limit_) + number + 2u * number};
  }
  unsigned count(message_key key) const;  ///< buffers that messages of the key have

private:
  struct holding {
    std::uint16_t count = 0, first = 0;  // first of the key's buffers
  };
  struct neighbours {
    std::uint16_t before = 0, after = 0;
  };

  const unsigned limit_;
  key_table<holding> held_;
  std::vector<neighbours> chain_;  // by buffer: others of the same key, in a ring
  mutable std::vector<std::uint16_t> waits_;
};

/// Section IV, modified counter method: the keys that hold most buffers are declared hotspots as soon as
/// they leave fewer free than a dampening switch should, B((B - j)/B)^k of k hotspots. A declared hotspot
/// gets no more: its messages that were under way are kept elsewhere.
class modified_counting_assignment final : public any_buffer_assignment {
public:
  /// `j`: buffers that a single hotspot may have, 1 to `buffers`, else std::invalid_argument.
  modified_counting_assignment(unsigned buffers, unsigned j);

  bool admits(message_key key) const override { return !full() && !impact_.is_among_first(key, hotspots_); }
  unsigned take(message_key key) override;
  /// @{
  /// As those of assignment.
  void release(unsigned buffer) override;
  void clear() override;
  /// @}
  buffer_span waits_for(message_key) const override { return {}; }
  unsigned most_declared() const override { return buffers(); }
  /// The hotspot counter k.
  unsigned hotspots() const { return hotspots_; }
  const impact_array& impact() const { return impact_; }  ///< who holds how many buffers
  std::uint64_t impact_steps() const override { return impact_.work(); }
  /// And the keys sorted by their counts, each with its position, the positions of each count, and the
  /// hotspots.
  hardware_size storage() const override {
    const unsigned number = bits_below(buffers());
    return any_buffer_assignment::storage() +
           buffers() * hardware_size{0, 2, bits_to(buffers()) + 3u * number + 1} +
           hardware_size{0, 0, bits_to(buffers())};
  }

private:
  void count_hotspots();
  void declare();

  const dampening_rule rule_;
  impact_array impact_;
  unsigned hotspots_ = 0;
  std::vector<message_key> declared_;
  key_table<bool> is_declared_;
};

/// The assignments of all pools of a platform: made for a pool and, where senders calculate, for the other
/// end of its link too.
class assignment_plan {
public:
  virtual ~assignment_plan() = default;
  /// Of the pool at input `input` of switch `node`.
  virtual std::unique_ptr<assignment> make(unsigned node, unsigned input) const = 0;
  /// Whether the pool tells messages apart by source rather than destination.
  virtual bool by_source(unsigned /*node*/, unsigned /*input*/) const { return false; }
};

}  // namespace spillway
