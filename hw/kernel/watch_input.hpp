#pragma once
#include <memory>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/pins.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

/// A pin of who only looks on: a checker, or who marks packets. It is a port as `input` is, but for a block
/// that is made where a clock domain is named (clock_scope): nobody asks for the ports of the checkers of a
/// platform, which are a third of its objects, so there such a pin knows its channel and no more.
template <class T>
class watch_input {
public:
  /// @{
  /// `name`: of the port. The block that is being made has it.
  explicit watch_input(const char* name) {
    if (clocked* const block = detail::block_in_domain())
      side_ = std::make_unique<no_port>(*block, name, value_);
    else
      side_ = std::make_unique<with_port>(name, value_);
  }
  explicit watch_input(const std::string& name) : watch_input(name.c_str()) {}
  /// @}
  watch_input(const watch_input&) = delete;
  watch_input& operator=(const watch_input&) = delete;

  /// Hierarchical name.
  const char* name() const { return side_->name(); }
  /// What the pin shows: of what was written before this edge, the last.
  const T& read() const { return value_ ? *value_ : side_->read(); }

  /// @{
  /// Binds the pin to a channel or to the pin of a module around it, once, before the simulation starts.
  void bind(sc_core::sc_signal_in_if<T>& channel) { side_->bind(channel); }
  void bind(sc_core::sc_in<T>& parent) { side_->bind(parent); }
  void bind(input<T>& parent) { side_->bind(static_cast<sc_core::sc_in<T>&>(parent)); }
  void bind(watch_input& parent) { side_->bind(parent); }
  template <class Other>
  void operator()(Other& other) {
    bind(other);
  }
  /// @}

  /// For a sensitivity list. An SC_REPORT_ERROR if the pin has no port.
  operator sc_core::sc_in<T>&() { return side_->port(); }
  /// Of the link's, which alone knows its type; null until it is made.
  std::shared_ptr<void>& note() const { return side_->note; }

private:
  /// Out of line, as nothing of it is touched at an edge.
  struct side {
    virtual ~side() = default;
    virtual const char* name() const = 0;
    virtual const T& read() const = 0;
    virtual sc_core::sc_in<T>& port() = 0;
    virtual void bind(sc_core::sc_signal_in_if<T>& channel) = 0;
    virtual void bind(sc_core::sc_in<T>& parent) = 0;
    std::shared_ptr<void> note;
  };

  struct with_port final : side {
    with_port(const char* name, const T*& value) : port_(name, value) {}
    const char* name() const override { return port_.name(); }
    const T& read() const override { return port_->read(); }
    sc_core::sc_in<T>& port() override { return port_; }
    void bind(sc_core::sc_signal_in_if<T>& channel) override { port_.bind(channel); }
    void bind(sc_core::sc_in<T>& parent) override { port_.bind(parent); }
    detail::input_port<T> port_;
  };

  struct no_port final : side, detail::portless_pin {
    no_port(clocked& block, const char* name, const T*& value)
        : portless_pin(block), block_(block), name_(name), value_(value) {}
    const char* name() const override {
      if (name_.find('.') == std::string::npos) name_ = std::string(block_.name()) + '.' + name_;
      return name_.c_str();
    }
    const T& read() const override { return channel_->read(); }
    sc_core::sc_in<T>& port() override {
      fail("has no port, as its block is made within a clock_scope that names a domain");
      throw std::logic_error(std::string(name()) + " has no port");
    }
    void bind(sc_core::sc_signal_in_if<T>& channel) override {
      if (channel_ || parent_) fail("is bound twice");
      channel_ = &channel;
    }
    void bind(sc_core::sc_in<T>& parent) override {
      if (channel_ || parent_) fail("is bound twice");
      parent_ = &parent;
    }
    void join() override {
      if (parent_) channel_ = dynamic_cast<sc_core::sc_signal_in_if<T>*>(parent_->get_interface());
      if (!channel_) return fail("is not bound");
      detail::join_reader<T>(block_, channel_);
    }
    void take_place() override { value_ = detail::value_of<T>(channel_); }
    void fail(const char* what) const {
      SC_REPORT_ERROR("spillway/pin", (std::string(name()) + ' ' + what).c_str());
    }

    clocked& block_;
    mutable std::string name_;  // of the port; with the block's before it from the first call of name() on
    const T*& value_;
    sc_core::sc_signal_in_if<T>* channel_ = nullptr;
    sc_core::sc_in<T>* parent_ = nullptr;
  };

  const T* value_ = nullptr;  // of the channel, if it is known where that keeps it
  std::unique_ptr<side> side_;
};

}  // namespace spillway
