#include <fmt/format.h>

#include <optional>
#include <spillway/hw/nifdy/nifdy_format.hpp>
#include <spillway/platforms/elaborate/switch_entry.hpp>
#include <spillway/platforms/nifdy/nifdy_stage.hpp>
#include <spillway/tb/nifdy/nifdy.hpp>
#include <spillway/tb/nifdy/nifdy_advice.hpp>

namespace spillway {

namespace {

using nlohmann::json;

/// The section with the keys of the units, in front of memory modules one within another; null: there are
/// none.
const json* unit_section(const json& interfaces) {
  if (interfaces.at("kind") == "nifdy") return &interfaces;
  const auto within = interfaces.find("nifdy");
  return within == interfaces.end() ? nullptr : &*within;
}

theory::nifdy_times times_of(const experiment& e, const json& unit, const zero_load& z) {
  theory::nifdy_times t;
  const double flits = e.network.config.packet_length;
  t.t_link = static_cast<double>(z.cycles_a_flit) * flits;
  t.t_ackproc = 2 * unit.at("ack_processing").get<double>();
  // A bulk packet is acknowledged when its tail has passed the reorder buffers, two cycles after it came.
  if (!z.tail) t.t_tail = static_cast<double>(z.cycles_a_flit) * (flits - 1) + 2;
  // A source sends a flit a cycle.
  t.t_send = flits;
  t.t_receive = flits * e.sinks.front().interval;
  if (const auto found = unit.find("processor"); found != unit.end()) {
    t.t_send = found->at("send").get<double>() + found->at("poll").get<double>();
    t.t_receive = found->at("receive").get<double>();
  }
  return t;
}

/// Packets of one logical network that its switches hold, a terminal; 0: not known.
std::optional<double> volume_of(const network_plan& plan, const switch_entry& switches) {
  json section = plan.config.switches;
  section.erase("memory_depth");  // of the modules, not of the network
  double flits = 0;
  const std::size_t terminals = plan.shape.terminals.size();
  for (const auto v : plan.shape.switches) {
    const auto room = switches.room(section, static_cast<unsigned>(in_degree(v, plan.shape.g)),
                                    static_cast<unsigned>(out_degree(v, plan.shape.g)), terminals);
    if (!room) return std::nullopt;
    flits += *room;
  }
  return flits / plan.config.packet_length / static_cast<double>(terminals);
}

std::string acknowledgements(const experiment& e, const json& unit) {
  nifdy::wire_sizes s;
  s.terminals = static_cast<unsigned>(e.network.shape.terminals.size());
  s.dialogs = unit.value("window", 0u) ? unit.value("dialogs", 0u) : 0;
  s.window = unit.value("window", 0u);
  s.lossy = unit.value("timeout", 0u) != 0;
  return fmt::format("nifdy: acknowledgements of {} bits, or {} in a dialog, {} flits of 32; here {}\n",
                     nifdy::bits_of(nifdy::scalar_ack_format(s)), nifdy::bits_of(nifdy::bulk_ack_format(s)),
                     nifdy::ack_flits(s, 32), unit.at("ack_length").get<unsigned>());
}

std::string parameters(unsigned outstanding, unsigned pool, const std::string& bulk) {
  return fmt::format("O {}, B {}{}", outstanding, pool, bulk);
}

}  // namespace

advice nifdy_advice_of(const experiment& e, const catalogue& all, const analysis& found) {
  const platform_config& config = e.network.config;
  const json* const unit = unit_section(config.interfaces);
  if (!unit) return {};
  const double volume = volume_of(e.network, all.of<switch_entry>().chosen(config.switches)).value_or(0);
  const std::optional<zero_load> known = latency_of(e.network, all);
  if (!known || volume == 0)
    return {"nifdy: no advice, as the latency or the volume of such switches is not known\n"};

  const zero_load& z = *known;
  theory::nifdy_times t = times_of(e, *unit, z);
  const auto latency = [&](double hops) {
    return static_cast<double>(z.fixed + z.wait + lossy_link_latency(*unit)) +
           static_cast<double>(z.per_switch) * hops;
  };
  t.latency = latency(found.mean_hops);
  const double mean = theory::nifdy_roundtrip(t);
  t.latency = latency(found.diameter);
  const bool has_bulk = unit->contains("dialogs"), each = unit->value("bulk_acknowledge", "") == "each";
  const theory::nifdy_advice a = theory::nifdy_advise(t, volume, each);

  std::string bulk, here;
  if (has_bulk) {
    bulk = fmt::format(", D {}, W {} (the window that hides the longest round trip: {:.1f})", a.dialogs,
                       a.window, each ? theory::nifdy_window_each(t) : theory::nifdy_window_combined(t));
    here =
        fmt::format(", D {}, W {}", unit->at("dialogs").get<unsigned>(), unit->at("window").get<unsigned>());
  }
  advice said;
  said.text =
      fmt::format(
          "nifdy: round trip {:.0f} cycles on average, {:.0f} at most, for a packet every {:.0f}; the "
          "network holds {:.1f} packets a terminal\n",
          mean, theory::nifdy_roundtrip(t), t.interval(), volume) +
      "nifdy: advice " + parameters(a.outstanding, a.pool, bulk) + "; here " +
      parameters(unit->at("outstanding"), unit->at("pool"), here) + "\n";
  said.text += acknowledgements(e, *unit);
  const auto timeout = unit->value("timeout", 0.0), longest = theory::nifdy_roundtrip(t);
  if (timeout == 0 || timeout > longest) return said;
  said.sound = false;
  said.text += fmt::format(
      "nifdy: a timeout of {:.0f} cycles has packets sent again that are not lost: expected more than the "
      "longest "
      "round trip, {:.0f}\n",
      timeout, longest);
  return said;
}

}  // namespace spillway
