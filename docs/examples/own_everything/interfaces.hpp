// An interface of our own, and a stage of our own that stands in a chain behind any interface.
#pragma once
#include <spillway/hw/packet/fifo_queue.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <string>
#include <utility>

namespace own {

/// A source that sends the packet that was made last first.
class newest_source final : public spillway::source {
public:
  using source::source;

private:
  bool choose(spillway::flit& chosen) override {
    if (waiting_.empty()) return false;
    chosen = waiting_.back();
    waiting_.pop_back();
    return true;
  }
};

class newest_unit final : public spillway::terminal_unit {
public:
  explicit newest_unit(spillway::terminal_context c)
      : told_(make_arrival_link(c)),
        source_(("source_" + std::to_string(c.terminal)).c_str(), c.terminal, std::move(c.supply), c.observer,
                c.routes, c.next, c.source_queue),
        sink_(("sink_" + std::to_string(c.terminal)).c_str(), c.terminal, c.service, c.observer,
              told_ != nullptr) {
    if (told_) told_->connect(sink_.arrivals[0]), told_->connect(source_.arrivals[0]);
  }

  void connect_output(unsigned, spillway::network_link& l) override {
    spillway::link_cast<spillway::packet_link>(l).connect(source_.out);
  }
  void connect_input(unsigned, spillway::network_link& l) override {
    spillway::link_cast<spillway::packet_link>(l).connect(sink_.in);
  }
  std::vector<spillway::clocked*> blocks() override { return {&source_, &sink_}; }
  std::vector<spillway::network_link*> links() override {
    if (!told_) return {};
    return {told_.get()};
  }
  std::uint64_t held_flits() const override { return source_.backlog_flits(); }
  std::uint64_t lost_in_reset() const override { return source_.lost_in_reset(); }

private:
  const std::unique_ptr<spillway::arrival_link> told_;
  newest_source source_;
  spillway::sink sink_;
};

class newest_first final : public spillway::interface_entry {
public:
  newest_first() : interface_entry("newest_first") {}
  nlohmann::json schema() const override {
    return {{"description", "Sends the packet that was made last first."}};
  }
  std::unique_ptr<spillway::terminal_unit> make(spillway::terminal_context c) const override {
    return std::make_unique<newest_unit>(std::move(c));
  }
  bool answers() const override { return true; }
};

/// Lets a head pass at most every `interval` cycles.
class meter final : public spillway::clocked {
public:
  spillway::packet_in in{"in"};
  spillway::packet_out out{"out"};

  meter(const sc_core::sc_module_name& name, unsigned interval) : clocked(name), interval_(interval) {}
  std::uint64_t held_flits() const { return full_; }
  std::uint64_t lost_in_reset() const { return lost_; }

private:
  void reset() override {
    lost_ += full_;
    full_ = open_ = false;
    next_head_ = 0;
    in.ready.write(0), out.valid.write(false);
  }
  void tick() override {
    if (full_ && spillway::accepts(out.ready.read(), held_)) full_ = false;
    if (open_ && in.valid.read()) {
      held_ = in.data.read();
      full_ = true;
      if (held_.index == 0) next_head_ = cycle() + interval_;
    }
    // The flit that is shown next may be a head.
    open_ = !full_ && !open_ && (in.valid.read() && (in.data.read().index != 0 || cycle() + 1 >= next_head_));
    in.ready.write(open_ ? ~spillway::lane_mask{0} : 0);
    out.valid.write(full_);
    if (full_) out.data.write(held_);
    if (full_ || open_ || in.valid.read()) wake_at(cycle() + 1);
  }

  const unsigned interval_;
  spillway::flit held_;
  bool full_ = false, open_ = false;
  std::uint64_t next_head_ = 0;  // first cycle in which a head may come in
  std::uint64_t lost_ = 0;
};

/// A meter for what is sent, a queue for what arrives.
class meter_stage final : public spillway::interface_stage {
public:
  explicit meter_stage(const spillway::stage_context& c)
      : meter_(("meter_" + std::to_string(c.terminal)).c_str(), c.parameters.at("interval").get<unsigned>()),
        arrivals_(("metered_" + std::to_string(c.terminal)).c_str(), 2) {}

  void connect_sent(unsigned, spillway::packet_link& l) override { l.connect(meter_.in); }
  void connect_arrived(unsigned, spillway::packet_link& l) override { l.connect(arrivals_.out); }
  void connect_output(unsigned, spillway::network_link& l) override {
    spillway::link_cast<spillway::packet_link>(l).connect(meter_.out);
  }
  void connect_input(unsigned, spillway::network_link& l) override {
    spillway::link_cast<spillway::packet_link>(l).connect(arrivals_.in);
  }
  std::vector<spillway::clocked*> blocks() override { return {&meter_, &arrivals_}; }
  std::uint64_t held_flits() const override { return meter_.held_flits() + arrivals_.level(); }
  std::uint64_t lost_in_reset() const override { return meter_.lost_in_reset() + arrivals_.lost_in_reset(); }

private:
  meter meter_;
  spillway::fifo_queue arrivals_;
};

class metered final : public spillway::stage_entry {
public:
  metered() : stage_entry("metered") {}
  nlohmann::json schema() const override {
    return spillway::parse_schema(R"({
      "description": "Spaces the packets of a terminal.",
      "properties": {"interval": {"type": "integer", "minimum": 1, "maximum": 1000000, "default": 8,
                                  "description": "Cycles from one packet to the next."}}})");
  }
  std::unique_ptr<spillway::interface_stage> make(const spillway::stage_context& c) const override {
    return std::make_unique<meter_stage>(c);
  }
  spillway::network_uses networks(const nlohmann::json&, const spillway::network_uses& inner) const override {
    if (inner.size() != 1)
      throw std::invalid_argument("a meter has one network, found " + std::to_string(inner.size()));
    return inner;
  }
};

}  // namespace own
