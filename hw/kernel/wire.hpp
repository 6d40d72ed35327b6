#pragma once
#include <memory>
#include <spillway/hw/kernel/clock_domain.hpp>
#include <type_traits>
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

/// A registered wire of the fast kernel: what is written at an edge is read from the next one on, and
/// a new value wakes the readers. It implements the interface of sc_signal, without its events: a
/// process of the user's own that must be sensitive to a value needs an sc_signal.
template <class T>
class wire final : public detail::wire_interface<T> {
public:
  explicit wire(clock_domain& domain, const T& initial = T{})
      : domain_(&domain), now_(initial), next_(initial) {}

  const T& read() const override { return written_ < domain_->stamp() ? next_ : now_; }
  void write(const T& value) override {
    const std::uint64_t stamp = domain_->stamp();
    if (written_ < stamp) {
      if (value == next_) return;
      now_ = next_;
      written_ = stamp;
    }
    next_ = value;
    wake_readers();
  }

  void add_reader(std::uint32_t block) {
    if (reader_ == none) {
      reader_ = block;
    } else {
      if (!more_) more_ = std::make_unique<std::vector<std::uint32_t>>();
      more_->push_back(block);
    }
  }
  clock_domain& domain() const { return *domain_; }

  const sc_core::sc_event& value_changed_event() const override { return no_event(); }
  const sc_core::sc_event& default_event() const override { return no_event(); }
  const T& get_data_ref() const override { return read(); }
  bool event() const override { return false; }

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void wake_readers() {
    if (reader_ != none) domain_->wake(reader_);
    if (more_)
      for (const std::uint32_t block : *more_) domain_->wake(block);
  }
  const sc_core::sc_event& no_event() const {
    SC_REPORT_ERROR(
        "spillway/wire",
        "a wire of the fast kernel has no events: bind an sc_signal where a process is sensitive to it");
    return domain_->value_changed_event();
  }

  clock_domain* domain_;
  std::uint64_t written_ = 0;
  T now_, next_;
  std::uint32_t reader_ = none;
  std::unique_ptr<std::vector<std::uint32_t>> more_;
};

}  // namespace spillway
