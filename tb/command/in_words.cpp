#include <fmt/format.h>

#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <spillway/tb/command/commands.hpp>

namespace spillway {

namespace {

/// Which cycles are measured, and when the run ends.
std::string cycles_in_words(const experiment& e) {
  const auto& m = e.measure;
  const std::string warmup = m.find_warmup ? "MSER-5 finds the warm-up, half of these at most; "
                             : m.warmup    ? fmt::format("0 to {} warm up, ", m.warmup)
                                           : "";
  const std::string sent = fmt::format(
      "all traffic has been sent and has arrived (waits {} cycles for what is under way)", m.drain);
  if (m.cycles)
    return fmt::format(
        "  cycles: {}{} to {} are measured\n  end: when what was made in those cycles has arrived, which "
        "counts as saturated {} cycles later, or when {}; at cycle {} at the latest\n",
        warmup, m.warmup, m.warmup + m.cycles, m.drain, sent, m.limit);
  return fmt::format("  cycles: {}{} to the end are measured\n  end: when {}; at cycle {} at the latest\n",
                     warmup, m.warmup, sent, m.limit);
}

std::string measured_in_words(const experiment& e, const document& file) {
  const auto& m = e.measure;
  std::string text = fmt::format(
      "  measured: throughput, latency; every {} cycles packets created, delivered, in flight, and how "
      "full the buffers are",
      m.interval);
  if (m.pending) text += ", packets under way to each terminal";
  if (m.breakdown) text += "; latency by where it was spent";
  if (m.flows) text += "; packets and latency from each terminal to each";
  if (m.overtaking) text += "; packets that overtake others";
  if (!m.snapshots.empty()) text += fmt::format("; the network at cycles {}", fmt::join(m.snapshots, ", "));
  for (const nlohmann::json& one : file.root.value("measures", nlohmann::json::array()))
    text += "; " + one.at("kind").get<std::string>();
  for (const reset_pulse& r : e.resets)
    text += fmt::format("\n  reset: in cycles {} to {}", r.from, r.until - 1);
  return text + '\n';
}

std::string kept_in_words(const experiment& e, const run_arguments& a) {
  std::string files =
      "config.yaml, result.json, series.csv, histogram.csv, links.csv, switches.csv, timing.json";
  const bool drawn = !a.no_report && e.network.config.level == abstraction::pins;
  if (!e.measure.snapshots.empty() || drawn) files += ", network.json";
  if (e.measure.flows) files += ", flows.csv";
  if (a.deliveries) files += ", deliveries.csv";
  if (!a.no_report) files += ", report.html";
  std::string text = a.out.empty() ? fmt::format("  kept: nothing; --out DIR keeps {}\n", files)
                                   : fmt::format("  kept: in {}: {}\n", a.out, files);
  if (!e.trace.file.empty()) text += fmt::format("  waveform: {}\n", e.trace.file.string());
  if (!e.packets.file.empty()) text += fmt::format("  record of packets: {}\n", e.packets.file);
  return text;
}

}  // namespace

std::string in_words(const experiment& e, const document& file, const run_arguments& a,
                     const catalogue& all) {
  const platform_config& c = e.network.config;
  const interface_entry& interface = all.of<interface_entry>().chosen(c.interfaces);
  if (!interface.takes_workload())
    return fmt::format(
        "`run` refuses it: interfaces of kind '{}' need a program that drives their {} terminals, see "
        "docs/cosimulation.md\n",
        interface.name(), e.network.shape.terminals.size());
  const char* const what = !file.root.contains("workload") ? "traffic"
                           : e.on_workload.empty()         ? "a workload"
                                                           : "a workload and traffic beside it";
  std::string text = fmt::format("`run` sends {} between {} terminals, seed {}, ", what,
                                 e.network.shape.terminals.size(), e.seed);
  if (c.level == abstraction::pins)
    text += fmt::format("on the {} kernel{}\n", name_of(c.runs_on),
                        c.threads > 1 ? fmt::format(" by {} threads", c.threads) : "");
  else
    text += fmt::format("at the {} level\n", name_of(c.level));
  return text + cycles_in_words(e) + measured_in_words(e, file) + kept_in_words(e, a);
}

}  // namespace spillway
