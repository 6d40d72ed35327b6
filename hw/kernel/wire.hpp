#pragma once
#include <new>
#include <spillway/hw/kernel/clock_domain.hpp>
#include <type_traits>

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

/// The value of a wire, apart from the channel that SystemC sees. At an edge it shows what was written
/// before that edge; two places take turns, so nothing is copied from "next" to "now".
template <class T>
class wire_cell {
public:
  wire_cell(clock_domain& domain, const T& initial) : domain_(&domain), values_{initial, initial} {}

  const T& read() const { return values_[newest_ ^ unsigned{written_ == domain_->stamp()}]; }
  void write(const T& value) {
    const std::uint64_t stamp = domain_->stamp();
    if (written_ != stamp) {
      if (value == values_[newest_]) return;
      newest_ ^= 1;
      written_ = stamp;
    }
    values_[newest_] = value;
    domain_->wake_readers(readers_);
  }
  void add_reader(std::uint32_t block) { readers_ = domain_->join_readers(readers_, block); }
  clock_domain& domain() const { return *domain_; }

private:
  clock_domain* domain_;
  std::uint64_t written_ = 0;  // stamp
  std::uint32_t readers_ = clock_domain::nobody;
  std::uint8_t newest_ = 0;
  T values_[2];
};

/// A registered wire of the fast kernel: what is written at an edge is read from the next one on, and
/// a new value wakes the readers. It implements the interface of sc_signal, without its events: a
/// process of the user's own that must be sensitive to a value needs an sc_signal. Its domain must
/// outlive it.
template <class T>
class wire final : public detail::wire_interface<T> {
public:
  explicit wire(clock_domain& domain, const T& initial = T{})
      : cell_(new (domain.hot_memory().allocate(sizeof(wire_cell<T>), alignof(wire_cell<T>)))
                  wire_cell<T>(domain, initial)) {}
  ~wire() override {
    if constexpr (!std::is_trivially_destructible_v<T>) cell_->~wire_cell();
  }
  wire(const wire&) = delete;
  wire& operator=(const wire&) = delete;

  const T& read() const override { return cell_->read(); }
  void write(const T& value) override { cell_->write(value); }
  wire_cell<T>& cell() const { return *cell_; }

  const sc_core::sc_event& value_changed_event() const override { return no_event(); }
  const sc_core::sc_event& default_event() const override { return no_event(); }
  const T& get_data_ref() const override { return read(); }
  bool event() const override { return false; }

private:
  const sc_core::sc_event& no_event() const {
    SC_REPORT_ERROR(
        "spillway/wire",
        "a wire of the fast kernel has no events: bind an sc_signal where a process is sensitive to it");
    return cell_->domain().value_changed_event();
  }

  wire_cell<T>* const cell_;
};

}  // namespace spillway
