#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <spillway/hw/kernel/clock_domain.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace spillway {

namespace detail {

/// The interface of a signal whose type has edges, without its edges.
template <class T>
class without_edges : public sc_core::sc_signal_inout_if<T> {
public:
  const sc_core::sc_event& posedge_event() const override { return this->default_event(); }
  const sc_core::sc_event& negedge_event() const override { return this->default_event(); }
  bool posedge() const override { return false; }
  bool negedge() const override { return false; }
};

template <class T>
using wire_interface = std::conditional_t<std::is_same_v<T, bool> || std::is_same_v<T, sc_dt::sc_logic>,
                                          without_edges<T>, sc_core::sc_signal_inout_if<T>>;

}  // namespace detail

template <class T>
class wire_bank;

/// The value of a wire, apart from the channel that SystemC sees. At an edge it shows what was written
/// before that edge.
template <class T>
class wire_cell {
public:
  wire_cell(wire_bank<T>& bank, const T& initial) : bank_(&bank), now_(initial), next_(initial) {}

  /// Always the same place, for as long as the cell is not moved.
  const T& read() const { return now_; }
  void write(const T& value) {
    if (value == next_) return;
    next_ = value;
    if (written_) return;
    written_ = true;
    bank_->add(*this);
  }
  void add_reader(std::uint32_t block) { readers_ = bank_->domain().join_readers(readers_, block); }
  clock_domain& domain() const { return bank_->domain(); }

private:
  friend class wire_bank<T>;

  wire_bank<T>* bank_;
  std::uint32_t readers_ = clock_domain::nobody;
  bool written_ = false;  // and so in the bank's list
  T now_, next_;
};

/// The wires of one type of value in a clock domain: a list of those that were written.
template <class T>
class wire_bank final : public clock_domain::bank_base {
public:
  explicit wire_bank(clock_domain& domain) : domain_(domain) {}

  clock_domain& domain() const { return domain_; }
  void add(wire_cell<T>& cell) { written_.push_back(&cell); }
  /// `cell` has become `place`, or is no more.
  void replace(wire_cell<T>& cell, wire_cell<T>* place) {
    if (!cell.written_) return;
    const auto found = std::find(written_.begin(), written_.end(), &cell);
    if (place)
      *found = place;
    else
      written_.erase(found);
  }
  void carry_over() override {
    for (wire_cell<T>* const cell : written_) {
      cell->now_ = cell->next_;
      cell->written_ = false;
      domain_.wake_readers(cell->readers_);
    }
    written_.clear();
  }

private:
  clock_domain& domain_;
  std::vector<wire_cell<T>*> written_;
};

/// The value of a wire of one bit: it lies among those of all the others, so that a look at a row of `valid`
/// pins touches little memory.
template <>
class wire_cell<bool> {
public:
  wire_cell(wire_bank<bool>& bank, bool initial);

  const bool& read() const { return *now_; }
  void write(bool value) {
    bool& next = now_[bits];
    if (value == next) return;
    next = value;
    domain_->wake_readers(readers_);
  }
  void add_reader(std::uint32_t block) { readers_ = domain_->join_readers(readers_, block); }
  clock_domain& domain() const { return *domain_; }

private:
  friend class wire_bank<bool>;
  static constexpr std::size_t bits = 2048;

  clock_domain* domain_;
  bool* now_;  // what will be shown next is `bits` further on
  std::uint32_t readers_ = clock_domain::nobody;
};

/// All wires of one bit: what was written and what was not are carried over together.
template <>
class wire_bank<bool> final : public clock_domain::bank_base {
public:
  explicit wire_bank(clock_domain& domain) : domain_(domain) {}

  clock_domain& domain() const { return domain_; }
  bool* add(bool initial) {
    if (used_ == wire_cell<bool>::bits) {
      chunks_.push_back(std::make_unique<chunk>());
      used_ = 0;
    }
    chunk& last = *chunks_.back();
    last[used_] = last[used_ + wire_cell<bool>::bits] = initial;
    return &last[used_++];
  }
  void replace(wire_cell<bool>&, wire_cell<bool>*) {}
  void carry_over() override {
    for (const auto& c : chunks_) {
      const auto next = c->begin() + wire_cell<bool>::bits;
      std::copy_n(next, c == chunks_.back() ? used_ : wire_cell<bool>::bits, c->begin());
    }
  }

private:
  using chunk = std::array<bool, 2 * wire_cell<bool>::bits>;  // what is shown, then what will be
  clock_domain& domain_;
  std::vector<std::unique_ptr<chunk>> chunks_;
  std::size_t used_ = wire_cell<bool>::bits;  // of the last chunk
};

inline wire_cell<bool>::wire_cell(wire_bank<bool>& bank, bool initial)
    : domain_(&bank.domain()), now_(bank.add(initial)) {}

/// A registered wire of the fast kernel: what is written at an edge is read from the next one on, and
/// a new value wakes the readers. It implements the interface of sc_signal, without its events: a
/// process of the user's own that must be sensitive to a value needs an sc_signal. Its domain must
/// outlive it.
template <class T>
class wire final : public detail::wire_interface<T> {
public:
  explicit wire(clock_domain& domain, const T& initial = T{})
      : home_(std::make_unique<wire_cell<T>>(domain.bank<wire_bank<T>>(), initial)), cell_(home_.get()) {}
  ~wire() override {
    bank().replace(*cell_, nullptr);
    if (!home_) cell_->~wire_cell();
  }
  wire(const wire&) = delete;
  wire& operator=(const wire&) = delete;

  const T& read() const override { return cell_->read(); }
  void write(const T& value) override { cell_->write(value); }

  /// Has `block` woken by new values. The cell moves to where it is touched most, beside others of the first
  /// block that reads it or, if it is one bit, of the first that writes it; so it may be kept only from the
  /// start of the simulation on.
  void add_reader(std::uint32_t block) {
    if (!one_bit) settle();
    cell_->add_reader(block);
  }
  void add_writer() {
    if (one_bit) settle();
  }
  wire_cell<T>& cell() const { return *cell_; }
  clock_domain& domain() const { return cell_->domain(); }

  const sc_core::sc_event& value_changed_event() const override { return no_event(); }
  const sc_core::sc_event& default_event() const override { return no_event(); }
  const T& get_data_ref() const override { return read(); }
  bool event() const override { return false; }

private:
  static constexpr bool one_bit = std::is_same_v<T, bool>;

  wire_bank<T>& bank() const { return domain().template bank<wire_bank<T>>(); }
  void settle() {
    using cell = wire_cell<T>;
    if (!home_) return;
    std::pmr::memory_resource& memory = sizeof(T) <= 8 ? domain().hot_memory() : domain().data_memory();
    cell_ = new (memory.allocate(sizeof(cell), alignof(cell))) cell(std::move(*home_));
    bank().replace(*home_, cell_);
    home_.reset();
  }
  const sc_core::sc_event& no_event() const {
    SC_REPORT_ERROR(
        "spillway/wire",
        "a wire of the fast kernel has no events: bind an sc_signal where a process is sensitive to it");
    return domain().value_changed_event();
  }

  std::unique_ptr<wire_cell<T>> home_;  // of the cell until it has a reader
  wire_cell<T>* cell_;
};

}  // namespace spillway
