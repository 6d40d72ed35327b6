#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <spillway/hw/kernel/clock_domain.hpp>
#include <spillway/hw/kernel/clock_scope.hpp>
#include <string>
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
  bool posedge() const override { return this->event(); }
  bool negedge() const override { return this->event(); }
};

template <class T>
using wire_interface = std::conditional_t<std::is_same_v<T, bool> || std::is_same_v<T, sc_dt::sc_logic>,
                                          without_edges<T>, sc_core::sc_signal_inout_if<T>>;

}  // namespace detail

/// Whether the values of all wires of a type are kept together.
template <class T>
constexpr bool small_value = sizeof(T) <= 8 && std::is_trivially_copyable_v<T>;

/// Who reads a wire, and a number of 16 bits, in one word: what a cycle touches of a wire is little.
struct wire_readers {
  static constexpr unsigned number_bits = 16;  ///< bits of `number`

  wire_readers() : number(0), first(clock_domain::no_block), second(clock_domain::no_block) {}
  /// The readers.
  clock_domain::reader_list list() const {
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second)};
  }
  void set(clock_domain::reader_list all) { first = all.first, second = all.second; }  ///< the readers

  std::uint64_t number : number_bits;               ///< of whoever has this object
  std::uint64_t first : domain_part::reader_bits;   ///< see domain_part::reader_list
  std::uint64_t second : domain_part::reader_bits;  ///< see domain_part::reader_list
};

/// What is written to a wire of a large value: it lies where the block that writes it has its other data, and
/// what the wire shows where the reader has.
template <class T>
struct wire_values {
  static constexpr unsigned next_placed = 1;  ///< `next` lies in the domain's memory, with its writer
  static constexpr unsigned now_placed = 2;   ///< `*now` does, with its reader

  T next;                ///< what was written last
  T* now;                ///< what is read
  wire_readers readers;  ///< its number: which are placed
};

/// The wires of one type of value in a clock domain: a list of what was written and where it is to be shown,
/// so that committing it does not go back to who wrote it.
template <class T, bool = small_value<T>>
class wire_bank final : public domain_part::bank_base {
public:
  explicit wire_bank(domain_part& part) : part_(part) {}  ///< `part`: whose blocks write its wires

  domain_part& part() const { return part_; }  ///< whose blocks write its wires
  /// `value` is shown at `now` by the next commit().
  void add(T* now, const T& value) { written_.emplace_back(now, value); }
  /// A wire shows its value at `place` from now on, or is no more.
  void replace(T* now, T* place) {
    for (pending_write& w : written_)
      if (w.now == now) w.now = place;
  }
  void commit() override {
    for (pending_write& w : written_)
      if (w.now) *w.now = std::move(w.value);
    written_.clear();
  }

private:
  struct pending_write {
    pending_write(T* place, const T& v) : now(place), value(v) {}
    T* now;
    T value;
  };
  domain_part& part_;
  std::vector<pending_write> written_;
};

/// Where the value of a wire is, apart from the channel that SystemC sees. At an edge it shows what was
/// written before that edge. Output pins have copies, from the start of the simulation on.
template <class T, bool = small_value<T>>
class wire_cell {
public:
  wire_cell() = default;  ///< of no wire
  /// `initial`: what it shows until something is written.
  wire_cell(clock_domain& domain, const T& initial)
      : bank_(&domain.first_part().bank<wire_bank<T>>()), values_(new values{initial, new T(initial), {}}) {}

  explicit operator bool() const { return bank_; }  ///< it is a wire's
  /// Always the same place, once the readers are known.
  const T& read() const { return *values_->now; }
  /// Shown at the next edge; wakes the readers if it is new.
  void write(const T& value) {
    if (value == values_->next) return;
    values_->next = value;
    bank_->add(values_->now, value);
    bank_->part().wake_readers(values_->readers.list());
  }
  /// Wakes `block` by new values, and has what it reads lie with the block's data.
  void add_reader(std::uint32_t block) {
    values_->readers.set(domain().with_reader(readers(), block));
    if (has(values::now_placed)) return;
    T* const home = std::exchange(values_->now, domain().data_of(block, *values_->now));
    values_->readers.number |= values::now_placed;
    bank_->replace(home, values_->now);
    delete home;
  }
  /// Has what is written lie with the data of `block`.
  void add_writer(std::uint32_t block) {
    if (has(values::next_placed)) return;
    values* const home = std::exchange(values_, domain().data_of(block, *values_));
    values_->readers.number |= values::next_placed;
    delete home;
  }
  clock_domain& domain() const { return bank_->part().domain(); }  ///< whose wire it is
  /// Blocks that new values wake.
  clock_domain::reader_list readers() const { return values_->readers.list(); }
  /// What is written from now on is committed by `part`; nothing is to be committed.
  void move_to(domain_part& part) { bank_ = &part.bank<wire_bank<T>>(); }
  /// The wire is no more.
  void end() {
    bank_->replace(values_->now, nullptr);
    if (has(values::now_placed))
      values_->now->~T();
    else
      delete values_->now;
    if (has(values::next_placed))
      values_->~wire_values();
    else
      delete values_;
  }

private:
  using values = wire_values<T>;

  bool has(unsigned placed) const { return values_->readers.number & placed; }

  wire_bank<T>* bank_ = nullptr;
  values* values_ = nullptr;
};

/// The values of small wires: those of all wires of a type lie together, so that a look at a row of `valid`
/// or `ready` pins touches little memory. They are committed by the cache line, if one of it was written.
template <class T>
class wire_bank<T, true> final : public domain_part::bank_base {
public:
  static constexpr std::size_t line = 64 / sizeof(T);  ///< values in a line of the cache
  /// The values of 64 lines, and what was written to them.
  struct chunk {
    explicit chunk(wire_bank& b) : bank(b), part(b.part()) {}  ///< `b`: that has it
    /// @{
    /// What is read, and what was written last.
    alignas(64) std::array<T, 64 * line> now{}, next{};
    /// @}
    wire_bank& bank;            ///< that has it
    domain_part& part;          ///< whose blocks write its wires
    std::uint64_t written = 0;  ///< one bit a line
    std::uint32_t used = 0;     ///< places that wires have
  };

  explicit wire_bank(domain_part& part) : part_(part) {}  ///< `part`: whose blocks write its wires

  /// A chunk that has room for one more.
  chunk& with_room() {
    if (chunks_.empty() || chunks_.back()->used == 64 * line)
      chunks_.push_back(std::make_unique<chunk>(*this));
    return *chunks_.back();
  }
  domain_part& part() const { return part_; }  ///< whose blocks write its wires
  /// A value of the chunk has been written, in its `next`.
  void write(chunk& c, std::size_t index) {
    if (!c.written) written_.push_back(&c);
    c.written |= std::uint64_t{1} << (index / line);
  }
  void commit() override {
    for (chunk* const c : written_)
      for (; c->written; c->written &= c->written - 1) {
        const std::size_t first = static_cast<unsigned>(__builtin_ctzll(c->written)) * line;
        std::copy_n(c->next.begin() + first, line, c->now.begin() + first);
      }
    written_.clear();
  }

private:
  domain_part& part_;
  std::vector<std::unique_ptr<chunk>> chunks_;
  std::vector<chunk*> written_;
};

/// The same of a small value: where in the bank it lies.
template <class T>
class wire_cell<T, true> {
public:
  wire_cell() = default;  ///< of no wire
  /// @{
  /// As of a large value.
  wire_cell(clock_domain& domain, const T& initial) {
    static_assert(64 * wire_bank<T>::line <= 1 << wire_readers::number_bits);
    take_place(domain.first_part());
    chunk_->now[index()] = chunk_->next[index()] = initial;
  }

  explicit operator bool() const { return chunk_; }
  const T& read() const { return chunk_->now[index()]; }
  void write(const T& value) {
    T& next = chunk_->next[index()];
    if (value == next) return;
    next = value;
    chunk_->bank.write(*chunk_, index());
    chunk_->part.wake_readers(readers());
  }
  void add_reader(std::uint32_t block) { readers_.set(domain().with_reader(readers(), block)); }
  void add_writer(std::uint32_t) {}
  clock_domain& domain() const { return chunk_->part.domain(); }
  clock_domain::reader_list readers() const { return readers_.list(); }
  /// @}
  /// It lies with what the part's other blocks write from now on; nothing is to be committed.
  void move_to(domain_part& part) {
    const T value = chunk_->next[index()];
    take_place(part);
    chunk_->now[index()] = chunk_->next[index()] = value;
  }
  void end() {}  ///< the wire is no more; its place stays empty

private:
  std::size_t index() const { return readers_.number; }
  void take_place(domain_part& part) {
    chunk_ = &part.bank<wire_bank<T>>().with_room();
    readers_.number = chunk_->used++;
  }

  typename wire_bank<T>::chunk* chunk_ = nullptr;
  wire_readers readers_;  // its number: the place in the chunk
};

/// A registered wire of the fast kernel: what is written at an edge is read from the next one on, and
/// a new value wakes the readers. It implements the interface of sc_signal, without its events: a
/// process of the user's own that must be sensitive to a value needs an sc_signal. Its domain must
/// outlive it.
template <class T>
class wire final : public detail::wire_interface<T>, public clock_domain::wire_base {
public:
  /// `initial`: what it shows until something is written.
  explicit wire(clock_domain& domain, const T& initial = T{}) : cell_(domain, initial) {}
  ~wire() override { cell_.end(); }
  wire(const wire&) = delete;
  wire& operator=(const wire&) = delete;

  const T& read() const override { return cell_.read(); }  ///< what is shown at this edge
  /// Shown at the next edge; wakes the readers if it is new.
  void write(const T& value) override { cell_.write(value); }

  /// Has `block` woken by new values.
  void add_reader(std::uint32_t block) { cell_.add_reader(block); }
  /// The block that writes it, before the first edge.
  void add_writer(std::uint32_t block) {
    cell_.add_writer(block);
    domain().add_wire(block, *this);
  }
  /// Where its value is, from the start of the simulation on.
  const wire_cell<T>& final_cell() const {
    domain().begin();
    return cell_;
  }
  /// @{
  /// As wire_base has them.
  clock_domain::reader_list readers() const override { return cell_.readers(); }
  void move_to(domain_part& part) override { cell_.move_to(part); }
  /// @}
  clock_domain& domain() const { return cell_.domain(); }  ///< that it is a wire of

  /// @{
  /// As of a signal, but it has no events: asking for one is an SC_REPORT_ERROR.
  const sc_core::sc_event& value_changed_event() const override { return no_event(); }
  const sc_core::sc_event& default_event() const override { return no_event(); }
  const T& get_data_ref() const override { return read(); }
  bool event() const override {
    no_event();
    return false;
  }
  /// @}

private:
  const sc_core::sc_event& no_event() const {
    SC_REPORT_ERROR(
        "spillway/wire",
        "a wire of the fast kernel has no events: bind an sc_signal where a process is sensitive to it");
    return domain().value_changed_event();
  }

  wire_cell<T> cell_;
};

/// What a pin can be bound to on either kernel: a wire where a clock domain is known, else an sc_signal.
template <class T>
std::unique_ptr<sc_core::sc_signal_inout_if<T>> make_wire(const std::string& name) {
  if (clock_domain* const domain = domain_here()) return std::make_unique<wire<T>>(*domain);
  return std::make_unique<sc_core::sc_signal<T>>(name.c_str());
}

}  // namespace spillway
