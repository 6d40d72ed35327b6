#include <spillway/hw/ecn/ecn_marker.hpp>
#include <spillway/hw/ecn/ecn_marks.hpp>
#include <spillway/hw/kernel/config_check.hpp>

namespace spillway {

void ecn_marker_config::check() const {
  detail::need(outputs >= 1 && outputs <= 64,
               "a switch has 1 to 64 outputs, found " + std::to_string(outputs));
  detail::need(threshold >= 1 && threshold <= 65535,
               "an output is congested from 1 to 65535 flits on, found " + std::to_string(threshold));
}

ecn_marker::ecn_marker(const sc_core::sc_module_name& name, const ecn_marker_config& config)
    : output_marker(name, detail::checked(config).outputs, config.room != 0),
      config_(config),
      victim_until_(config.room ? config.outputs : 0) {}

void ecn_marker::reset() {
  victim_until_.assign(victim_until_.size(), 0);
  for (marking_in& o : output) o.marks.write(0);
}

void ecn_marker::tick() {
  for (unsigned o = 0; o < output.size(); ++o) {
    const bool root = is_root(o), congested = output[o].waiting.read() >= config_.threshold;
    output[o].marks.write(root && congested ? ecn::forward : 0);
  }
}

bool ecn_marker::is_root(unsigned o) {
  if (!config_.room) return true;
  const packet_watch& next = link[o];
  if (next.valid.read() && !accepts(next.ready.read(), next.data.read())) {
    victim_until_[o] = cycle() + config_.room;
    wake_at(cycle() + 1);  // it may be refused again, and no pin changes
    return false;
  }
  if (cycle() >= victim_until_[o]) return true;
  wake_at(victim_until_[o]);
  return false;
}

}  // namespace spillway
