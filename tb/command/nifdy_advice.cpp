#include <fmt/format.h>

#include <spillway/platforms/elaborate/wormhole_kind.hpp>
#include <spillway/tb/command/nifdy_advice.hpp>
#include <spillway/tb/theory/nifdy.hpp>

namespace spillway {

namespace {

using nlohmann::json;

theory::nifdy_times times_of(const platform_config& config, unsigned cycles_a_flit) {
  theory::nifdy_times t;
  t.t_link = static_cast<double>(cycles_a_flit) * config.packet_length;
  t.t_ackproc = 2 * config.interfaces.at("ack_processing").get<double>();
  // A source and a sink move a flit a cycle.
  t.t_send = t.t_receive = config.packet_length;
  if (const auto found = config.interfaces.find("processor"); found != config.interfaces.end()) {
    t.t_send = found->at("send").get<double>() + found->at("poll").get<double>();
    t.t_receive = found->at("receive").get<double>();
  }
  return t;
}

/// Packets of one logical network that its routers hold, a terminal.
double volume_of(const network_plan& plan, unsigned held_by_input) {
  std::size_t inputs = 0;
  for (const auto v : plan.shape.switches) inputs += in_degree(v, plan.shape.g);
  return static_cast<double>(inputs) * held_by_input / plan.config.packet_length /
         static_cast<double>(plan.shape.terminals.size());
}

}  // namespace

std::string describe_nifdy_advice(const network_plan& plan, const block_kinds& kinds, const analysis& found) {
  const json& unit = plan.config.interfaces;
  const switch_kind& switches = kinds.switches.at(plan.config.switches.at("kind"));
  if (unit.at("kind") != "nifdy" || plan.config.switches.at("kind") != "wormhole") return {};
  const zero_load z = switches.latency(plan.config.switches, unit.at("networks"), plan.config.packet_length);
  const wormhole_share share = wormhole_share_of(plan.config.switches, unit.at("networks"));
  theory::nifdy_times t = times_of(plan.config, share.cycles_a_flit);
  const auto latency = [&z](double hops) {
    return static_cast<double>(z.fixed + z.wait) + static_cast<double>(z.per_switch) * hops;
  };
  t.latency = latency(found.mean_hops);
  const double mean = theory::nifdy_roundtrip(t);
  t.latency = latency(found.diameter);
  const double volume = volume_of(plan, share.held_by_input);
  const bool each = unit.at("bulk_acknowledge") == "each";
  const theory::nifdy_advice a = theory::nifdy_advise(t, volume, each);
  return fmt::format(
      "nifdy: round trip {:.0f} cycles on average, {:.0f} at most, for a packet every {:.0f}; the network "
      "holds {:.1f} packets a terminal\n"
      "nifdy: advice O {}, B {}, D {}, W {} (the window that hides the longest round trip: {:.1f}); here O "
      "{}, "
      "B {}, D {}, W {}\n",
      mean, theory::nifdy_roundtrip(t), t.interval(), volume, a.outstanding, a.pool, a.dialogs, a.window,
      each ? theory::nifdy_window_each(t) : theory::nifdy_window_combined(t),
      unit.at("outstanding").get<unsigned>(), unit.at("pool").get<unsigned>(),
      unit.at("dialogs").get<unsigned>(), unit.at("window").get<unsigned>());
}

}  // namespace spillway
