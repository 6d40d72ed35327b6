#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <spillway/hw/adapters/axi_fifo_checker.hpp>
#include <spillway/hw/adapters/axi_to_packet.hpp>
#include <spillway/hw/adapters/packet_to_axi.hpp>
#include <spillway/hw/packet/fifo_queue.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <string>
#include <utility>
#include <vector>

// A stage as a user would write it: what a terminal sends goes through an AXI4-Stream FIFO of his own, right
// or with a fault planted, whose two streams his checkers watch.

namespace spillway::testing_support {

struct fifo_format : axi_format<64> {};

enum class fifo_fault { none, data_change, withdrawn, dropped_beat, lost_tlast, valid_in_reset };

inline fifo_fault fault_of(const std::string& name) {
  static const std::map<std::string, fifo_fault> all{
      {"none", fifo_fault::none},
      {"data_change", fifo_fault::data_change},
      {"withdrawn", fifo_fault::withdrawn},
      {"dropped_beat", fifo_fault::dropped_beat},
      {"lost_tlast", fifo_fault::lost_tlast},
      {"valid_in_reset", fifo_fault::valid_in_reset},
  };
  return all.at(name);
}

/// The FIFO; now and then it does what its fault says.
class faulty_fifo : public clocked {
public:
  axi_stream_in<fifo_format> in{"s_axis"};
  axi_stream_out<fifo_format> out{"m_axis"};

  faulty_fifo(const sc_core::sc_module_name& name, fifo_fault fault) : clocked(name), fault_(fault) {}
  std::uint64_t level() const { return beats_.size(); }

private:
  using beat = axi_beat<fifo_format>;
  static constexpr std::size_t depth = 8;

  void reset() override {
    beats_.clear();
    ready_ = false;
    valid_ = fault_ == fifo_fault::valid_in_reset;
    in.tready.write(false), out.tvalid.write(valid_);
  }
  void tick() override {
    wake_at(cycle() + 1);
    const bool waits = valid_ && !out.tready.read();
    if (valid_ && !waits && !beats_.empty()) beats_.pop_front();
    if (ready_ && in.tvalid.read()) take(beat::of(in));
    ready_ = beats_.size() < depth;
    in.tready.write(ready_);
    const bool now = waits && ++waited_ % 50 == 49;
    valid_ = !beats_.empty() && !(now && fault_ == fifo_fault::withdrawn);
    out.tvalid.write(valid_);
    if (beats_.empty()) return;
    beat b = beats_.front();
    if (now && fault_ == fifo_fault::data_change) b.data ^= 0x10;
    out.tdata.write(b.data), out.tlast.write(b.last), out.tdest.write(b.dest);
    out.tid.write(b.id), out.tuser.write(b.user);
  }
  void take(beat b) {
    const bool now = ++taken_ % 200 == 120;
    if (now && fault_ == fifo_fault::dropped_beat) return;
    if (now && fault_ == fifo_fault::lost_tlast) b.last = false;
    beats_.push_back(b);
  }

  const fifo_fault fault_;
  std::deque<beat> beats_;
  bool ready_ = false, valid_ = false;
  std::uint64_t taken_ = 0, waited_ = 0;
};

class axi_fifo_stage final : public interface_stage {
public:
  axi_fifo_stage(unsigned terminal, fifo_fault fault, std::shared_ptr<const routing> routes, link_end next)
      : number_(std::to_string(terminal)),
        there_(("to_axi_" + number_).c_str()),
        fifo_(("axi_fifo_" + number_).c_str(), fault),
        back_(("from_axi_" + number_).c_str(), axi_frames{}, std::move(routes), next),
        arrivals_(("arrivals_" + number_).c_str(), 2) {
    there_.out.bind(before_), fifo_.in.bind(before_), fifo_.out.bind(after_), back_.in.bind(after_);
  }

  void connect_sent(unsigned, packet_link& l) override { l.connect(there_.in); }
  void connect_arrived(unsigned, packet_link& l) override { l.connect(arrivals_.out); }
  void connect_output(unsigned, network_link& l) override { link_cast<packet_link>(l).connect(back_.out); }
  void connect_input(unsigned, network_link& l) override { link_cast<packet_link>(l).connect(arrivals_.in); }
  std::vector<clocked*> blocks() override { return {&there_, &fifo_, &back_, &arrivals_}; }
  std::uint64_t held_flits() const override {
    return there_.held_flits() + fifo_.level() + back_.held_flits() + arrivals_.level();
  }

  /// What they find is a finding of the run.
  std::vector<std::unique_ptr<clocked>> make_checkers(const violation_handler& handler) override {
    there_.report_to(handler), back_.report_to(handler);
    std::vector<std::unique_ptr<clocked>> all;
    auto whole = std::make_unique<axi_fifo_checker<fifo_format>>(("check_axi_" + number_).c_str(), handler);
    whole->in.bind(before_), whole->out.bind(after_);
    auto stream =
        std::make_unique<axi_stream_checker<fifo_format>>(("check_m_axis_" + number_).c_str(), handler);
    stream->bind(after_);
    all.push_back(std::move(stream)), all.push_back(std::move(whole));
    return all;
  }

private:
  const std::string number_;
  axi_stream_signals<fifo_format> before_{"axi_before_" + number_}, after_{"axi_after_" + number_};
  packet_to_axi<fifo_format> there_;
  faulty_fifo fifo_;
  axi_to_packet<fifo_format> back_;
  fifo_queue arrivals_;
};

/// `stages: [{kind: axi_fifo, fault: withdrawn}]`.
class axi_fifo_entry final : public stage_entry {
public:
  axi_fifo_entry() : stage_entry("axi_fifo") {}
  nlohmann::json schema() const override {
    return parse_schema(R"({
      "description": "An AXI4-Stream FIFO of the user's behind every terminal.",
      "properties": {"fault": {"enum": ["none", "data_change", "withdrawn", "dropped_beat", "lost_tlast",
                                        "valid_in_reset"],
                               "default": "none", "description": "What is wrong with that of terminal 1."}}})");
  }
  std::unique_ptr<interface_stage> make(const stage_context& c) const override {
    const fifo_fault fault = fault_of(c.parameters.at("fault"));
    return std::make_unique<axi_fifo_stage>(c.terminal, c.terminal == 1 ? fault : fifo_fault::none, c.routes,
                                            c.next);
  }
};

}  // namespace spillway::testing_support
