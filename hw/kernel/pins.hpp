#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>
#include <spillway/hw/kernel/clock_scope.hpp>
#include <spillway/hw/kernel/wire.hpp>
#include <stdexcept>
#include <string>
#include <typeinfo>

namespace spillway {

class clocked;

namespace detail {
/// The block that a port belongs to; nullptr for a port of a module that is none.
clocked* owning_block(const sc_core::sc_object& port);
/// The clock domain that steps the block, or nullptr, and the block's number in it.
std::pair<clock_domain*, std::uint32_t> place_of(clocked& block);
/// The channel, if it is a wire.
template <class T>
wire<T>* wire_of(sc_core::sc_interface* channel) {
  return dynamic_cast<wire<T>*>(channel);
}
/// Where the channel keeps its value, of a wire and of SystemC's own signals; of any other channel nullptr.
template <class T>
const T* value_of(sc_core::sc_interface* channel) {
  using namespace sc_core;
  if (auto* const w = wire_of<T>(channel)) return &w->final_cell().read();
  const auto& kind = typeid(*channel);
  for (const auto* const plain :
       {&typeid(sc_signal<T, SC_ONE_WRITER>), &typeid(sc_signal<T, SC_MANY_WRITERS>),
        &typeid(sc_signal<T, SC_UNCHECKED_WRITERS>)})
    if (kind == *plain) return &dynamic_cast<sc_signal_in_if<T>&>(*channel).read();
  return nullptr;
}
}  // namespace detail

/// A port, and what links note of its pin: out of line, as nothing of it is touched at an edge.
template <class Port>
struct noted_port : Port {
  using Port::Port;
  std::shared_ptr<void> note;  ///< what the link's bundle keeps with the pin, or nothing
};

/// A pin as users of sc_in and sc_out know them: `Port`, out of line, so that a block's hot state stays
/// together. Events are those of the signal that it is bound to; a wire of the fast kernel has none, which is
/// an SC_REPORT_ERROR that names the pin.
template <class Port>
class pin {
public:
  pin(const pin&) = delete;
  pin& operator=(const pin&) = delete;

  const char* name() const { return port_->name(); }  ///< hierarchical name of the port
  const sc_core::sc_event& default_event() const { return signal().default_event(); }  ///< of the signal
  /// Of the signal.
  const sc_core::sc_event& value_changed_event() const { return signal().value_changed_event(); }
  bool event() const { return signal().event(); }  ///< of the signal
  /// Of a signal of bool or sc_logic.
  const sc_core::sc_event& posedge_event() const { return signal().posedge_event(); }
  /// Of a signal of bool or sc_logic.
  const sc_core::sc_event& negedge_event() const { return signal().negedge_event(); }
  bool posedge() const { return signal().posedge(); }  ///< of a signal of bool or sc_logic
  bool negedge() const { return signal().negedge(); }  ///< of a signal of bool or sc_logic

  /// For a sensitivity list, and for ports of SystemC's own that are bound to the pin.
  operator Port&() { return *port_; }
  /// Of the link's, which alone knows its type; null until it is made.
  std::shared_ptr<void>& note() const { return port_->note; }

protected:
  /// `port`: made by the pin.
  explicit pin(std::unique_ptr<noted_port<Port>> port) : port_(std::move(port)) {}
  Port& port() const { return *port_; }  ///< the port itself

private:
  Port& signal() const {
    if (detail::wire_of<typename Port::data_type>(port_->get_interface()))
      SC_REPORT_ERROR("spillway/pin",
                      (std::string(name()) + " is bound to a wire of the fast kernel, which has no "
                                             "events: bind an sc_signal to it")
                          .c_str());
    return *port_;
  }

  const std::unique_ptr<noted_port<Port>> port_;
};

namespace detail {

/// What a pin that reads has to do with its block's domain, once `channel` is known.
template <class T>
void join_reader(clocked& block, sc_core::sc_interface* channel) {
  const auto [domain, index] = place_of(block);
  if (!domain) return;
  auto* const w = wire_of<T>(channel);
  if (w && &w->domain() == domain)
    w->add_reader(index);
  else
    domain->keep_awake(index);  // nothing tells when the channel changes
}

/// The port of an input pin. `value`: the pin's short cut.
template <class T>
struct input_port final : noted_port<sc_core::sc_in<T>> {
  input_port(const char* name, const T*& value) : noted_port<sc_core::sc_in<T>>(name), value_(value) {}
  void end_of_elaboration() override {
    sc_core::sc_in<T>::end_of_elaboration();
    if (clocked* const block = owning_block(*this)) join_reader<T>(*block, this->get_interface());
  }
  void start_of_simulation() override {
    sc_core::sc_in<T>::start_of_simulation();
    value_ = value_of<T>(this->get_interface());
  }
  const T*& value_;
};

}  // namespace detail

/// An input pin, with a short cut to the value of a wire of the fast kernel, and of an sc_signal.
template <class T>
class input : public pin<sc_core::sc_in<T>> {
  using base = pin<sc_core::sc_in<T>>;

public:
  /// @{
  /// `name`: of the port. The block that is being made has it.
  explicit input(const char* name) : base(std::make_unique<detail::input_port<T>>(name, value_)) {}
  explicit input(const std::string& name) : input(name.c_str()) {}
  /// @}

  /// What the pin shows: of what was written before this edge, the last.
  const T& read() const { return value_ ? *value_ : this->port()->read(); }
  /// Where that is, from the start of the simulation on; nullptr: only the channel knows.
  const T* place() const { return value_; }

  /// @{
  /// Binds the pin to a channel or to the pin of a module around it, once, before the simulation starts.
  void bind(sc_core::sc_signal_in_if<T>& channel) { this->port().bind(channel); }
  void bind(input& parent) { this->port().bind(parent.port()); }
  void bind(sc_core::sc_in<T>& parent) { this->port().bind(parent); }
  template <class Other>
  void operator()(Other& other) {
    bind(other);
  }
  /// @}

private:
  const T* value_ = nullptr;  // of the channel, if it is known where that keeps it
};

/// An output pin, with a short cut to a wire.
template <class T>
class output : public pin<sc_core::sc_out<T>> {
  using base = pin<sc_core::sc_out<T>>;

public:
  /// @{
  /// `name`: of the port. The block that is being made has it.
  explicit output(const char* name) : base(std::make_unique<out_port>(name, *this)) {}
  explicit output(const std::string& name) : output(name.c_str()) {}
  /// @}

  /// Shown from the end of this edge on, so others see it at the next one.
  void write(const T& value) {
    if (cell_)
      cell_.write(value);
    else
      this->port()->write(value);
  }
  /// What the pin shows now, as every other block sees it.
  const T& read() const { return cell_ ? cell_.read() : this->port()->read(); }
  /// What it shows from the start of the simulation on.
  void initialize(const T& value) { this->port().initialize(value); }

  /// @{
  /// Binds the pin to a channel or to the pin of a module around it, once, before the simulation starts.
  void bind(sc_core::sc_signal_inout_if<T>& channel) { this->port().bind(channel); }
  void bind(output& parent) { this->port().bind(parent.port()); }
  void bind(sc_core::sc_out<T>& parent) { this->port().bind(parent); }
  template <class Other>
  void operator()(Other& other) {
    bind(other);
  }
  /// @}

private:
  struct out_port final : noted_port<sc_core::sc_out<T>> {
    out_port(const char* name, output& owner) : noted_port<sc_core::sc_out<T>>(name), owner_(owner) {}
    void end_of_elaboration() override {
      sc_core::sc_out<T>::end_of_elaboration();
      clocked* const block = detail::owning_block(*this);
      if (!block) return;
      const auto [domain, index] = detail::place_of(*block);
      if (!domain) return;
      auto* const w = detail::wire_of<T>(this->get_interface());
      if (w && &w->domain() == domain)
        w->add_writer(index);
      else if (!dynamic_cast<clock_domain::shared_channel*>(this->get_interface()))
        domain->reaches_out(index);
    }
    void start_of_simulation() override {
      sc_core::sc_out<T>::start_of_simulation();
      if (auto* const w = detail::wire_of<T>(this->get_interface())) owner_.cell_ = w->final_cell();
    }
    output& owner_;
  };

  wire_cell<T> cell_;  // of the wire
};

/// A fixed row of pins or bundles, named `<name>0`, `<name>1`, ...; they never move.
template <class T>
class row {
public:
  /// `size`: items, made in ascending order.
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

  /// @{
  /// `i`: below size().
  T& operator[](std::size_t i) { return items_[i]; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  /// @}
  /// Throws std::out_of_range for an `i` that is not below size().
  T& at(std::size_t i) {
    if (i >= size_)
      throw std::out_of_range("found number " + std::to_string(i) + " of " + std::to_string(size_) +
                              " pins, which count from 0");
    return items_[i];
  }
  std::size_t size() const { return size_; }  ///< items
  /// @{
  /// From the first on.
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }
  /// @}

private:
  T* items_;
  std::uint32_t size_ = 0;
  bool owned_;  // or of the domain's memory
};

}  // namespace spillway
