#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <queue>
#include <set>
#include <spillway/hw/kernel/huge_pages.hpp>
#include <systemc>
#include <utility>
#include <vector>

namespace spillway {

class clocked;

/// The fast kernel: steps the blocks whose `clk` is bound to it, and of those only the ones that have
/// something to do. A block is called at an edge if one of its inputs was written with a new value at the one
/// before, or if it asked for that cycle; else it sleeps.
///
/// All outputs are registered, so the order of the calls does not matter and a cycle has no delta
/// cycles. The domain runs freely with its period, or at the rising edges of `clk` if that is bound:
/// then blocks of the domain, whose pins may also be bound to sc_signals, see the same values as the
/// user's own processes on that clock. Wires of a domain may be read and written from outside between
/// edges.
class clock_domain : public sc_core::sc_module, public sc_core::sc_signal_in_if<bool> {
public:
  /// Optional: what to follow instead of the period.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> clk{"clk"};

  /// The first edge is at `period`/2, as sc_clock's posedge with start time period/2.
  clock_domain(const sc_core::sc_module_name& name, const sc_core::sc_time& period);

  std::uint64_t cycle() const { return cycle_; }
  std::size_t size() const { return blocks_.size() - 1; }
  /// Block calls so far: what the fast kernel worked.
  std::uint64_t calls() const { return calls_; }

  /// Carries out one edge. Called by the domain's own process; also by benchmarks.
  void step();

  /// From now on calls sleepers, too, and holds them to it: an SC_REPORT_ERROR names the block and the cycle
  /// when a sleeper changes what a wire will show, or asks for a cycle that it had not asked for. A check of
  /// blocks, for tests: the results stay the same. Before the first edge.
  void doubt_sleepers();

  /// The number of no block. It may be woken, so that no wire needs a case of its own.
  static constexpr std::uint32_t nobody = 0;
  /// Has the block called at edge `cycle`, or at the next one if that is past.
  void wake_at(std::uint64_t cycle, std::uint32_t block) {
    if (cycle - cycle_ <= in_edge_)
      wake(block);
    else
      set_timer(cycle, block);
  }
  /// Calls the block at every edge.
  void keep_awake(std::uint32_t block) { sleepless_.push_back(block); }
  static constexpr unsigned reader_bits = 24;
  /// Who reads a wire: the receiver and, if there is one, its checker, which are woken without a look at
  /// other memory. Of one reader both are the same; of more than two the second is a group.
  struct reader_list {
    std::uint32_t first = nobody, second = nobody;  // reader_bits each
  };
  void wake_readers(reader_list readers) {
    wake(readers.first);
    if (readers.second == readers.first) return;
    readers.second < first_group ? wake(readers.second) : wake_group(readers.second);
  }
  reader_list with_reader(reader_list readers, std::uint32_t block);
  std::uint32_t add(clocked& block);

  /// The wires of one type, see wire.hpp.
  class bank_base {
  public:
    virtual ~bank_base() = default;
    /// Shows what was written.
    virtual void commit() = 0;
  };
  /// The domain's bank of that kind.
  template <class Bank>
  Bank& bank();

  /// Where the domain keeps what is touched at every edge, apart from the modules and ports that are
  /// not: they are many times as large. Freed with the domain.
  std::pmr::memory_resource& hot_memory() { return hot_memory_; }
  /// The same for what is touched when data moves.
  std::pmr::memory_resource& data_memory() { return data_memory_; }
  /// Moves what a block touches when data moves beside its other such data.
  template <class T>
  T* data_of(std::uint32_t block, T& item) {
    T* const place = new (data_memory_.allocate(sizeof(T), alignof(T))) T(std::move(item));
    note_data(block, place);
    return place;
  }

  // The clock as a pin: it has no waveform of its own, blocks are called instead.
  const sc_core::sc_event& value_changed_event() const override { return tick_event_; }
  const sc_core::sc_event& posedge_event() const override { return tick_event_; }
  const sc_core::sc_event& negedge_event() const override { return never_; }
  const sc_core::sc_event& default_event() const override { return tick_event_; }
  const bool& read() const override { return high_; }
  const bool& get_data_ref() const override { return high_; }
  bool event() const override { return false; }
  bool posedge() const override { return false; }
  bool negedge() const override { return false; }

private:
  using timer = std::pair<std::uint64_t, std::uint32_t>;
  static constexpr std::uint32_t first_group = std::uint32_t{1} << (reader_bits - 1);

  // What a doubting domain knows.
  struct doubts {
    std::vector<std::set<std::uint64_t>> requests;  // by block: cycles that it asked for and that are to come
    std::vector<std::uint64_t> woken;  // awake_ while a sleeper is called, which then shows whom it woke
    std::uint32_t sleeper = nobody;    // that is being called
    bool asks = false;                 // for a cycle that it had not asked for
  };

  void end_of_elaboration() override;
  void wake(std::uint32_t block) { awake_[block >> 6] |= std::uint64_t{1} << (block & 63); }
  void set_timer(std::uint64_t cycle, std::uint32_t block) {
    if (doubts_) note_request(cycle, block);
    if (cycle - cycle_ < near_timers_.size())
      near_timers_[cycle % near_timers_.size()].push_back(block);
    else
      far_timers_.emplace(cycle, block);
  }
  void note_request(std::uint64_t cycle, std::uint32_t block);
  void note_data(std::uint32_t block, const void* place);
  void run_free();
  void wake_group(std::uint32_t group);
  void fetch(std::size_t block) const;
  void wake_due();
  void call_awake();
  void call_all();
  void call_sleeper(std::uint32_t block);
  void commit();

  sc_core::sc_time period_;
  std::uint64_t cycle_ = 0;
  std::uint64_t in_edge_ = 0;  // 1 while blocks are called: then cycle_ + 1 is the next edge, else cycle_
  std::uint64_t calls_ = 0;
  huge_pages pages_;
  std::pmr::monotonic_buffer_resource hot_memory_{&pages_}, data_memory_{&pages_};
  std::vector<clocked*> blocks_{nullptr};           // by number; the first is nobody
  std::vector<const char*> data_{nullptr};          // where each block's data begins
  std::vector<std::vector<std::uint32_t>> groups_;  // of blocks that read the same wire
  std::vector<std::uint64_t> awake_{0};             // one bit a block: call it at the next edge
  std::vector<std::uint64_t> now_{0};               // the same for the edge under way
  std::vector<std::unique_ptr<bank_base>> banks_;
  std::vector<std::uint32_t> sleepless_;
  std::array<std::vector<std::uint32_t>, 256> near_timers_;  // whom to call in each of the next cycles
  std::priority_queue<timer, std::vector<timer>, std::greater<timer>> far_timers_;  // and later
  std::unique_ptr<doubts> doubts_;                                                  // of a doubting domain
  bool high_ = false;
  bool started_ = false;
  sc_core::sc_event tick_event_, never_;
};

template <class Bank>
Bank& clock_domain::bank() {
  for (const auto& b : banks_)
    if (auto* const found = dynamic_cast<Bank*>(b.get())) return *found;
  auto made = std::make_unique<Bank>(*this);
  Bank& bank = *made;
  banks_.push_back(std::move(made));
  return bank;
}

}  // namespace spillway
