#include <algorithm>
#include <spillway/hw/flow_pause/flow_pause_checker.hpp>
#include <spillway/hw/switching/masks.hpp>

namespace spillway {

using namespace masks;

flow_pause_checker::flow_pause_checker(const sc_core::sc_module_name& name, flow_pause_checker_config config,
                                       violation_handler handler)
    : clocked(name),
      in(config.inputs, "in"),
      out(config.outputs, "out"),
      config_(std::move(config)),
      handler_(std::move(handler)) {
  reset();
}

void flow_pause_checker::reset() {
  flows_.clear();
  input_state empty;
  empty.packets.assign(config_.lanes, 0);
  inputs_.assign(config_.inputs, empty);
  leaving_.assign(config_.outputs, {});
  was_in_reset_ = true;
}

void flow_pause_checker::tick() {
  bool crossing = false;
  // The pins show what the switch has made of the edge before.
  if (!was_in_reset_)
    for (unsigned i = 0; i < in.size(); ++i) look_at_ready(i);
  was_in_reset_ = false;
  for (unsigned o = 0; o < out.size(); ++o) {
    if (!out[o].crosses()) continue;
    look_at_output(o);
    crossing = true;
  }
  for (unsigned i = 0; i < in.size(); ++i) {
    if (!in[i].crosses()) continue;
    look_at_input(i);
    crossing = true;
  }
  if (crossing) wake_at(cycle() + 1);  // the next flit may look the same
}

void flow_pause_checker::look_at_ready(unsigned i) {
  input_state& from = inputs_[i];
  const bool room = from.held + from.promised + config_.packet_length <= config_.places;
  for (unsigned l = 0; l < config_.lanes; ++l) {
    const bool waits_for_nothing = room && !from.packets[l] && !(in[i].ready.read() >> l & 1);
    if (!waits_for_nothing) {
      from.reported &= ~bit(l);
    } else if (!(from.reported & bit(l))) {
      from.reported |= bit(l);
      fail("FP1", "lane " + std::to_string(l) + " of input " + std::to_string(i) +
                      " is closed, with room and without a packet of it in the switch");
    }
  }
}

void flow_pause_checker::look_at_output(unsigned o) {
  const flit& f = out[o].data.read();
  packet& leaves = leaving_[o];
  if (f.head()) {
    auto& packets = flows_[flow_of(f)];
    const auto place =
        std::find_if(packets.begin(), packets.end(), [&](const packet& p) { return p.number == f.packet; });
    if (place != packets.begin() || packets.empty())
      fail("FP3", text(f) + " leaves by output " + std::to_string(o) +
                      (place == packets.end() ? " and has not come"
                                              : " before packet " + std::to_string(packets.front().number)));
    leaves = place == packets.end() ? packet{f.packet, config_.inputs, 0} : *place;
    if (place != packets.end()) packets.erase(place);
    if (packets.empty()) flows_.erase(flow_of(f));
  }
  if (leaves.input == config_.inputs) return;  // nobody knows where it has come from
  input_state& from = inputs_[leaves.input];
  if (from.held) --from.held;
  if (f.tail() && from.packets[leaves.lane]) --from.packets[leaves.lane];
}

void flow_pause_checker::look_at_input(unsigned i) {
  const flit& f = in[i].data.read();
  input_state& to = inputs_[i];
  if (f.head()) {
    const unsigned lane = f.lane % config_.lanes;
    flows_[flow_of(f)].push_back({f.packet, i, lane});
    ++to.packets[lane];
    to.promised += f.length;
  }
  ++to.held;
  if (to.promised) --to.promised;
  if (to.held + to.promised <= config_.places) return;
  fail("FP2", text(f) + " comes to input " + std::to_string(i) + ", which then holds " +
                  std::to_string(to.held) + " flits and has promised " + std::to_string(to.promised) +
                  " places more; it has " + std::to_string(config_.places));
}

void flow_pause_checker::fail(const char* rule, const std::string& what) {
  report_violation(handler_, rule, config_.watched, cycle(), what);
}

}  // namespace spillway
