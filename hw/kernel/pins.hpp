#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>
#include <spillway/hw/kernel/clock_scope.hpp>
#include <spillway/hw/kernel/wire.hpp>
#include <string>

namespace spillway {

class clocked;

namespace detail {
/// The block that a port belongs to; nullptr for a port of a module that is none.
clocked* owning_block(const sc_core::sc_object& port);
/// The clock domain that steps the block, or nullptr, and the block's number in it.
std::pair<clock_domain*, std::uint32_t> place_of(clocked& block);
/// The block has an input that cannot wake it.
void stay_awake(clocked& block);
/// The channel, if it is a wire.
template <class T>
wire<T>* wire_of(sc_core::sc_interface* channel) {
  return dynamic_cast<wire<T>*>(channel);
}
}  // namespace detail

/// An input pin: an ordinary sc_in<T>, kept out of line so that a block's hot state stays together,
/// with a short cut to the wire when it is bound to one of the fast kernel.
template <class T>
class input {
public:
  explicit input(const char* name) : port_(std::make_unique<port>(name, *this)) {}
  explicit input(const std::string& name) : input(name.c_str()) {}
  input(const input&) = delete;
  input& operator=(const input&) = delete;

  const T& read() const { return value_ ? *value_ : (*port_)->read(); }

  void operator()(sc_core::sc_signal_in_if<T>& channel) { port_->bind(channel); }
  void operator()(input& parent) { port_->bind(*parent.port_); }
  void operator()(sc_core::sc_in<T>& parent) { port_->bind(parent); }
  sc_core::sc_in<T>& sc_port() { return *port_; }
  const sc_core::sc_in<T>& sc_port() const { return *port_; }

private:
  struct port final : sc_core::sc_in<T> {
    port(const char* name, input& owner) : sc_core::sc_in<T>(name), owner_(owner) {}
    void end_of_elaboration() override {
      sc_core::sc_in<T>::end_of_elaboration();
      owner_.join();
    }
    void start_of_simulation() override {
      sc_core::sc_in<T>::start_of_simulation();
      if (auto* const w = detail::wire_of<T>(this->get_interface())) owner_.value_ = &w->cell().read();
    }
    input& owner_;
  };

  void join() {
    clocked* const block = detail::owning_block(*port_);
    if (!block) return;
    const auto [domain, index] = detail::place_of(*block);
    if (!domain) return;
    auto* const w = detail::wire_of<T>(port_->get_interface());
    if (w && &w->domain() == domain)
      w->add_reader(index);
    else
      detail::stay_awake(*block);
  }

  std::unique_ptr<port> port_;
  const T* value_ = nullptr;  // of the wire
};

/// An output pin: an ordinary sc_out<T>, with the same short cut.
template <class T>
class output {
public:
  explicit output(const char* name) : port_(std::make_unique<port>(name, *this)) {}
  explicit output(const std::string& name) : output(name.c_str()) {}
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  void write(const T& value) {
    if (cell_)
      cell_.write(value);
    else
      (*port_)->write(value);
  }
  /// What the pin shows now, as every other block sees it.
  const T& read() const { return cell_ ? cell_.read() : (*port_)->read(); }

  void operator()(sc_core::sc_signal_inout_if<T>& channel) { port_->bind(channel); }
  void operator()(output& parent) { port_->bind(*parent.port_); }
  void operator()(sc_core::sc_out<T>& parent) { port_->bind(parent); }
  sc_core::sc_out<T>& sc_port() { return *port_; }
  const sc_core::sc_out<T>& sc_port() const { return *port_; }

private:
  struct port final : sc_core::sc_out<T> {
    port(const char* name, output& owner) : sc_core::sc_out<T>(name), owner_(owner) {}
    void end_of_elaboration() override {
      sc_core::sc_out<T>::end_of_elaboration();
      auto* const w = detail::wire_of<T>(this->get_interface());
      clocked* const block = detail::owning_block(*this);
      if (!w || !block) return;
      const auto [domain, index] = detail::place_of(*block);
      if (domain == &w->domain()) w->add_writer(index);
    }
    void start_of_simulation() override {
      sc_core::sc_out<T>::start_of_simulation();
      if (auto* const w = detail::wire_of<T>(this->get_interface())) owner_.cell_ = w->cell();
    }
    output& owner_;
  };

  std::unique_ptr<port> port_;
  wire_cell<T> cell_;  // of the wire
};

/// A fixed row of pins or bundles, named `<name>0`, `<name>1`, ...; they never move.
template <class T>
class row {
public:
  row(std::size_t size, const std::string& name) {
    clock_domain* const domain = domain_here();
    owned_ = !domain;
    auto& memory = domain ? domain->hot_memory() : *std::pmr::new_delete_resource();
    items_ = static_cast<T*>(memory.allocate(size * sizeof(T), alignof(T)));
    for (; size_ < size; ++size_) new (items_ + size_) T(name + std::to_string(size_));
  }
  ~row() {
    for (std::size_t i = size_; i > 0; --i) items_[i - 1].~T();
    if (owned_) std::pmr::new_delete_resource()->deallocate(items_, size_ * sizeof(T), alignof(T));
  }
  row(const row&) = delete;
  row& operator=(const row&) = delete;

  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  std::size_t size() const { return size_; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }

private:
  T* items_;
  std::uint32_t size_ = 0;
  bool owned_;  // or of the domain's memory
};

}  // namespace spillway
