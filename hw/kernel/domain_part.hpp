#pragma once
#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <queue>
#include <set>
#include <spillway/hw/kernel/huge_pages.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

class clock_domain;

/// The blocks of a clock domain that one thread steps, and what only that thread touches at an edge: whom
/// the edge has woken, the timers of these blocks, and the wires that they write. A domain that one thread
/// steps has one part.
class domain_part {
public:
  /// The number of no block. It may be woken, so that no wire needs a case of its own.
  static constexpr std::uint32_t no_block = 0;
  static constexpr unsigned reader_bits = 24;  ///< bits of a number of a block or a group
  /// Numbers from here on are groups of blocks.
  static constexpr std::uint32_t first_group = std::uint32_t{1} << (reader_bits - 1);
  /// Who reads a wire: the receiver and, if there is one, its checker, which are woken without a look at
  /// other memory. Of one reader both are the same; of more than two the second is a group.
  struct reader_list {
    std::uint32_t first = no_block;   ///< number of a block
    std::uint32_t second = no_block;  ///< number of a block or a group
  };
  /// The wires of one type, see wire.hpp.
  class bank_base {
  public:
    virtual ~bank_base() = default;
    /// Shows what was written.
    virtual void commit() = 0;
  };

  /// `number`: of the part in its domain, from 0 on.
  domain_part(clock_domain& domain, unsigned number) : domain_(domain), number_(number) {}
  domain_part(const domain_part&) = delete;
  domain_part& operator=(const domain_part&) = delete;

  clock_domain& domain() const { return domain_; }  ///< that it is a part of
  unsigned number() const { return number_; }       ///< in its domain, from 0 on
  std::uint64_t cycle() const { return cycle_; }    ///< edges so far; during one, those before it

  /// The part that this thread steps just now, if others are stepped beside it; else nullptr.
  static domain_part* here() { return here_; }
  /// The block that it calls just now.
  std::uint32_t calling() const { return calling_; }

  /// Has the block, which is one of its own, called at edge `cycle`, or at the next one if that is past.
  void wake_at(std::uint64_t cycle, std::uint32_t block) {
    if (cycle - cycle_ <= in_edge_)
      wake(block);
    else
      set_timer(cycle, block);
  }
  /// A wire that one of its blocks writes has a new value. The readers may be of any part. Always inline: it
  /// is most of what writing a pin takes.
  [[gnu::always_inline]] void wake_readers(reader_list readers) {
    wake(readers.first);
    if (readers.second == readers.first) return;
    readers.second < first_group ? wake(readers.second) : wake_group(readers.second);
  }
  /// An SC_REPORT_ERROR after the edge, by one thread: SystemC's reports are not for several. Called by the
  /// block that it calls just now.
  void report_after_edge(std::string type, std::string text) {
    reports_.push_back({calling_, std::move(type), std::move(text)});
  }
  bool has_wires() const { return !banks_.empty(); }  ///< that show what blocks or others write
  /// Its bank of that kind.
  template <class Bank>
  Bank& bank();

private:
  friend class clock_domain;
  using timer = std::pair<std::uint64_t, std::uint32_t>;

  struct report {
    std::uint32_t block;  // that makes it
    std::string type, text;
  };

  // What a doubting domain knows.
  struct doubts {
    std::vector<std::set<std::uint64_t>> requests;  // by block: cycles that it asked for and that are to come
    std::vector<std::uint64_t> woken;  // awake_ while a sleeper is called, which then shows whom it woke
    std::uint32_t sleeper = no_block;  // that is being called
    bool asks = false;                 // for a cycle that it had not asked for
  };

  void wake(std::uint32_t block) { awake_[block >> 6] |= std::uint64_t{1} << (block & 63); }
  void call_now(std::uint32_t block) { now_[block >> 6] |= std::uint64_t{1} << (block & 63); }
  void wake_group(std::uint32_t group);
  void set_timer(std::uint64_t cycle, std::uint32_t block);
  void note_request(std::uint64_t cycle, std::uint32_t block);
  void resize(std::size_t words);
  void add_due();
  template <bool Beside>
  void call_awake();
  void step_beside(const std::vector<std::unique_ptr<domain_part>>& all);
  void hand_over_timers(const std::vector<std::unique_ptr<domain_part>>& all,
                        const std::vector<unsigned>& part_of);
  void call_all();
  void call_sleeper(std::uint32_t block);
  void commit();

  clock_domain& domain_;
  const unsigned number_;
  std::uint64_t cycle_ = 0;
  std::uint64_t in_edge_ = 0;  // 1 while blocks are called: then cycle_ + 1 is the next edge, else cycle_
  std::uint64_t calls_ = 0;
  std::vector<std::uint64_t> awake_{0};    // one bit a block of the domain: call it at the next edge
  std::vector<std::uint64_t> now_{0};      // the same for the edge under way, its own blocks only
  std::vector<std::uint64_t> last_, own_;  // beside other parts: awake_ of the edge before; its own blocks
  std::vector<std::unique_ptr<bank_base>> banks_;
  std::vector<std::uint32_t> sleepless_;
  std::array<std::vector<std::uint32_t>, 256> near_timers_;  // whom to call in each of the next cycles
  std::priority_queue<timer, std::vector<timer>, std::greater<timer>> far_timers_;  // and later
  std::unique_ptr<doubts> doubts_;                                                  // of a doubting domain
  std::uint32_t calling_ = no_block;
  std::exception_ptr failed_;    // what a block has thrown, beside other parts
  std::vector<report> reports_;  // of this edge

  static thread_local domain_part* here_;
};

template <class Bank>
Bank& domain_part::bank() {
  for (const auto& b : banks_)
    if (auto* const found = dynamic_cast<Bank*>(b.get())) return *found;
  auto made = std::make_unique<Bank>(*this);
  Bank& bank = *made;
  banks_.push_back(std::move(made));
  return bank;
}

}  // namespace spillway
