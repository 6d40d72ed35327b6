#pragma once
#include <memory>
#include <spillway/hw/feedback/admission_arbiter.hpp>
#include <spillway/hw/feedback/feedback_interface.hpp>
#include <spillway/hw/feedback/memory_monitor.hpp>
#include <spillway/hw/packet/memory_link.hpp>
#include <utility>
#include <vector>

namespace spillway {

// Wires of the feedback as the rules of docs/checker-rules.md see them together. They own no wires, but for
// the group of admission links.

/// Wires of other links: nothing waits on them, and nothing is traced twice.
class feedback_view : public network_link {
public:
  using network_link::network_link;
  std::optional<flit> blocked() const override { return std::nullopt; }
  unsigned trace(sc_core::sc_trace_file*, const std::function<bool(const char*)>&) const override {
    return 0;
  }
};

/// The length of a memory queue and the line of its module, which follows it (FL2).
class monitored_queue final : public feedback_view {
public:
  monitored_queue(link_place place, memory_link& of, feedback_lines& on, unsigned which,
                  const temperature_rule& by)
      : feedback_view(std::move(place)), queue(of), lines(on), module(which), rule(by) {}
  memory_link& queue;
  feedback_lines& lines;
  const unsigned module;
  const temperature_rule rule;
  const char* kind() const override { return "monitored_queue"; }
};

/// The feedback bus and the lines that it tells of (FL3 to FL5).
class told_lines final : public feedback_view {
public:
  told_lines(link_place place, feedback_bus_link& of, feedback_lines& from)
      : feedback_view(std::move(place)), bus(of), lines(from) {}
  feedback_bus_link& bus;
  feedback_lines& lines;
  const char* kind() const override { return "told_lines"; }
  unsigned trace(sc_core::sc_trace_file* file,
                 const std::function<bool(const char* name)>& chosen) const override {
    return bus.trace(file, chosen);
  }
};

/// The admission links of all processors and the limits of their arbiter (FL6, FL7).
class admission_group final : public network_link {
public:
  admission_group(link_place place, unsigned terminals, feedback_lines& of, const admission_limits& by);
  std::vector<std::unique_ptr<admission_link>> links;  ///< by processor
  feedback_lines& lines;
  const admission_limits limits;
  const char* kind() const override { return "admission"; }
  std::optional<flit> blocked() const override { return std::nullopt; }
  unsigned trace(sc_core::sc_trace_file* file,
                 const std::function<bool(const char* name)>& chosen) const override;
};

/// What a processor's interface hears, and what it sends (FL8).
class guarded_requests final : public feedback_view {
public:
  guarded_requests(link_place place, const feedback_interface_config& by, packet_link& to)
      : feedback_view(std::move(place)), config(by), requests(to) {}
  const feedback_interface_config config;
  packet_link& requests;
  feedback_lines* lines = nullptr;      ///< without a bus
  feedback_bus_link* bus = nullptr;     ///< with one
  admission_link* admission = nullptr;  ///< of bleeding by grants
  const char* kind() const override { return "guarded_requests"; }
};

}  // namespace spillway
