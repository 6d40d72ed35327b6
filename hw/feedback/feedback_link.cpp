#include <ostream>
#include <spillway/hw/feedback/feedback_link.hpp>
#include <spillway/hw/kernel/edge_log.hpp>

namespace spillway {

/// A word on either kernel. Several blocks write bits of it in one cycle, so it collects them.
class feedback_lines::channel {
public:
  channel(clock_domain* domain, const std::string& name)
      : changes_(domain, [this](const change& c) { set(c); }) {
    if (domain)
      wire_ = std::make_unique<wire<word>>(*domain);
    else
      signal_ = std::make_unique<shared_signal>(name.c_str());
  }
  void set(word bits, bool high) { changes_.say({bits, high}); }
  const word& read() const { return wire_ ? wire_->read() : signal_->read(); }
  void connect(input<word>& pin) {
    if (wire_)
      pin(*wire_);
    else
      pin(*signal_);
  }
  const sc_core::sc_event& changed() const {
    return wire_ ? wire_->default_event() : signal_->default_event();
  }
  const sc_core::sc_signal_in_if<word>* signal() const { return signal_.get(); }
  std::string name() const { return signal_->name(); }

private:
  // Each bit has one writer, which SystemC cannot know.
  using shared_signal = sc_core::sc_signal<word, sc_core::SC_UNCHECKED_WRITERS>;

  struct change {
    word bits;
    bool high;
  };
  void set(const change& c) {
    next_ = c.high ? next_ | c.bits : next_ & ~c.bits;
    if (wire_)
      wire_->write(next_);
    else
      signal_->write(next_);
  }

  edge_log<change> changes_;
  word next_ = 0;
  std::unique_ptr<wire<word>> wire_;
  std::unique_ptr<shared_signal> signal_;
};

/// What the pin of a line is bound to.
class feedback_lines::driver final : public detail::without_edges<bool>, public clock_domain::shared_channel {
public:
  driver(channel& c, unsigned bit) : channel_(c), bit_(word{1} << bit) {}
  void write(const bool& high) override { channel_.set(bit_, high); }
  const bool& read() const override { return high_ = (channel_.read() & bit_) != 0; }
  const bool& get_data_ref() const override { return read(); }
  bool event() const override { return false; }
  const sc_core::sc_event& value_changed_event() const override { return channel_.changed(); }
  const sc_core::sc_event& default_event() const override { return channel_.changed(); }

private:
  channel& channel_;
  const word bit_;
  mutable bool high_ = false;  // SystemC wants a reference
};

feedback_lines::feedback_lines(link_place place, unsigned modules)
    : network_link(std::move(place)), modules_(modules) {
  for (unsigned w = 0; w < words(modules); ++w)
    channels_.push_back(std::make_unique<channel>(domain_here(), name() + "_" + std::to_string(w)));
  for (unsigned m = 0; m < modules; ++m)
    drivers_.push_back(std::make_unique<driver>(*channels_[m / lines_a_word], m % lines_a_word));
}

feedback_lines::~feedback_lines() = default;

bool feedback_lines::hot(unsigned module) const {
  return channels_[module / lines_a_word]->read() >> module % lines_a_word & 1;
}

void feedback_lines::connect_line(unsigned module, output<bool>& pin) { pin(*drivers_.at(module)); }

void feedback_lines::connect_words(row<input<word>>& pins) {
  for (unsigned w = 0; w < pins.size(); ++w) channels_.at(w)->connect(pins[w]);
}

void feedback_lines::connect_word_of(unsigned module, input<word>& pin) {
  channels_.at(module / lines_a_word)->connect(pin);
}

std::vector<link_signal> feedback_lines::signals() const {
  std::vector<link_signal> all;
  for (const auto& c : channels_)
    if (const auto* const signal = c->signal())
      all.push_back({c->name(), [signal, name = c->name()](sc_core::sc_trace_file* file) {
                       sc_core::sc_trace(file, signal->read(), name);
                     }});
  return all;
}

std::ostream& operator<<(std::ostream& os, const announcement& a) {
  if (!a.valid) return os << '-';
  return os << (a.hot ? "hot " : "cool ") << a.module;
}

void sc_trace(sc_core::sc_trace_file* tf, const announcement& a, const std::string& name) {
  using sc_core::sc_trace;
  sc_trace(tf, a.valid, name + ".valid");
  sc_trace(tf, a.hot, name + ".hot");
  sc_trace(tf, a.module, name + ".module");
}

}  // namespace spillway
