#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/elaborate/dropping_entry.hpp>
#include <spillway/platforms/elaborate/interface_chain.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>
#include <spillway/tb/experiment/experiment.hpp>
#include <spillway/tb/experiment/read_traffic.hpp>
#include <spillway/tb/measure/measure_entry.hpp>
#include <spillway/tb/report/fst_file.hpp>
#include <spillway/tb/report/written_files.hpp>
#include <spillway/tb/traffic/answering_supply.hpp>
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/workloads/workload.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using nlohmann::json;
using pointer = json::json_pointer;

template <class T>
T value(const json& section, const char* key, T otherwise) {
  const auto it = section.find(key);
  return it == section.end() || it->is_null() ? otherwise : it->get<T>();
}

/// `endpoint.stopped`: a list, or how many, at random.
std::vector<std::uint32_t> read_stopped(const experiment& e, const document& file) {
  const pointer at("/endpoint/stopped");
  const std::size_t n = e.network.shape.terminals.size();
  const json& stopped = file.root.at(at);
  if (stopped.is_array()) return terminals_at(file, at, n);
  const auto count = stopped.get<std::uint64_t>();
  if (count > n) file.fail(at, fmt::format("expected at most {} terminals, found {}", n, count));
  return choose_stopped(static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(n), e.seed);
}

void read_endpoints(experiment& e, const document& file, const interface_entry& interfaces) {
  const json& section = file.root.at("endpoint");
  const std::size_t n = e.network.shape.terminals.size();
  e.stopped = read_stopped(e, file);
  if (e.network.config.level != abstraction::pins &&
      (section.at("accept_interval") != 1 || !e.stopped.empty() || !section.at("pauses").empty()))
    file.fail(pointer("/endpoint"), "at the transaction level every terminal accepts a flit in every cycle");
  e.replies = section.at("replies");
  if (e.replies && !interfaces.answers())
    file.fail(pointer("/endpoint/replies"),
              "terminals answer what arrives only through interfaces of kind plain");
  e.sinks.resize(n);
  for (sink_config& sink : e.sinks) sink.interval = section.at("accept_interval").get<unsigned>();
  for (const std::uint32_t t : e.stopped) {
    e.sinks[t].pauses.push_back({0, packet_supply::never});
    e.hot[t] = true;
    e.silent_until = packet_supply::never;
  }
  const json pauses = section.value("pauses", json::array());
  for (std::size_t i = 0; i < pauses.size(); ++i) {
    const pointer at = pointer("/endpoint/pauses") / i;
    const pause_interval p{pauses[i].at("from").get<std::uint64_t>(),
                           pauses[i].at("until").get<std::uint64_t>()};
    if (p.until <= p.from)
      file.fail(at / "until", fmt::format("expected a cycle after {}, found {}", p.from, p.until));
    for (const std::uint32_t t : terminals_at(file, at / "terminals", n)) {
      if (std::count(e.stopped.begin(), e.stopped.end(), t))
        file.fail(at, fmt::format("terminal {} has stopped: expected no pauses of it", t));
      if (!e.sinks[t].pauses.empty() && e.sinks[t].pauses.back().until > p.from)
        file.fail(at, fmt::format("the pauses of terminal {} overlap or are out of order", t));
      e.sinks[t].pauses.push_back(p);
    }
    e.silent_until = std::max(e.silent_until, p.until);
  }
}

/// `software`: what runs on the terminals between their traffic and the interfaces.
void read_software(experiment& e, const document& file, const catalogue& all,
                   const interface_entry& interfaces) {
  const pointer at("/software");
  if (!file.root.contains(at)) return;
  if (!interfaces.answers())
    file.fail(at, "software of terminals needs the interface 'plain', found '" + interfaces.name() + "'");
  e.software = all.of<software_entry>()
                   .chosen(file.root.at(at))
                   .plan({file, at, static_cast<std::uint32_t>(e.network.shape.terminals.size()),
                          static_cast<std::uint16_t>(e.packet_length), e.seed});
}

void read_workload(experiment& e, const document& file, const catalogue& all) {
  const json& section = file.root.at("workload");
  const pointer at("/workload");
  workload_plan plan;
  try {
    plan = all.of<workload_entry>().chosen(section).plan(
        {static_cast<std::uint32_t>(e.network.shape.terminals.size()),
         static_cast<std::uint16_t>(e.packet_length), e.seed, section, requests_of(all, e.network.config),
         &file, e.network.config.period_ns, &all, at, e.tells_of_packets});
  } catch (const std::invalid_argument& error) {
    file.fail(at, error.what());
  }
  if (plan.barriers && !file.root.at("interface").contains("processor"))
    file.fail(at, "its barriers need processors: expected `interface: {kind: nifdy, processor: {}}`");
  if (!plan.ends && !e.measure.cycles) file.fail(at, "this workload never ends: expected 'measure.cycles'");
  if (e.replies && !plan.requests)
    file.fail(pointer("/endpoint/replies"), "the terminals run a workload, which answers by itself");
  e.supply = plan.requests ? answered(plan.requests, e.replies) : plan.make;
  e.workload = plan.begin;
  if (!file.root.at("traffic").empty()) {
    if (plan.barriers)
      file.fail(pointer("/traffic"),
                "the workload waits at barriers of all terminals: expected no traffic beside it");
    if (std::count(plan.used.begin(), plan.used.end(), false) == 0)
      file.fail(pointer("/traffic"), "the workload runs on all terminals: expected no traffic beside it");
    e.on_workload = plan.used;
  }
  e.network.config.packet_length = std::max(e.network.config.packet_length, plan.longest_packet);
}

void read_resets(experiment& e, const document& file) {
  const json& list = file.root.at("resets");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto from = list[i].at("cycle").get<std::uint64_t>();
    if (!e.resets.empty() && from <= e.resets.back().until)
      file.fail(pointer("/resets") / i / "cycle",
                fmt::format("expected a cycle after {}, where the reset before ends, found {}",
                            e.resets.back().until, from));
    e.resets.push_back({from, from + list[i].at("length").get<std::uint64_t>()});
  }
}

/// The series stays in memory until the end of the run.
void check_series(const experiment& e, const document& file) {
  const auto& m = e.measure;
  auto cycles = static_cast<double>(m.limit);
  if (m.cycles)
    cycles = std::min(cycles, static_cast<double>(m.warmup) + static_cast<double>(m.cycles + m.drain));
  const std::size_t columns = 8 + (m.pending ? e.network.shape.terminals.size() : 0);
  const double values = cycles / static_cast<double>(m.interval) * static_cast<double>(columns);
  constexpr double most = 1 << 28;
  if (values > most)
    file.fail(
        pointer("/measure/interval"),
        fmt::format(
            "the series of {:.0f} cycles could grow to {:.0f} numbers, expected at most {:.0f}: an interval "
            "of {:.0f} or more, or a lower measure.limit",
            cycles, values, most, std::ceil(static_cast<double>(m.interval) * values / most)));
}

/// What blocks wait, one after the other. Twice as long leaves room for the way between them.
std::uint64_t longest_wait(const experiment& e, const document& file, const catalogue& all) {
  const platform_config& c = e.network.config;
  double sum = c.packet_length + sum_of_numbers(file.root.at("endpoint").at("accept_interval")) +
               sum_of_numbers(file.root.at("link"));
  sum += all.of<switch_entry>().chosen(c.switches).longest_wait(c.switches);
  if (!c.dropping.is_null()) sum += all.of<dropping_entry>().chosen(c.dropping).longest_wait(c.dropping);
  sum += all.of<interface_entry>().chosen(c.interfaces).longest_wait(c.interfaces);
  for (const json& stage : c.stages) sum += all.of<stage_entry>().chosen(stage).longest_wait(stage);
  return static_cast<std::uint64_t>(std::min(2 * sum, 1e18));
}

/// `measure.breakdown` goes by what the checkers of links see.
void check_breakdown(const experiment& e, const document& file, const catalogue& all) {
  const pointer at("/measure/breakdown");
  if (!e.measure.breakdown) return;
  if (!e.checks.links)
    file.fail(at, "the checkers of links follow the packets: expected `checks: {links: true}`");
  if (e.network.config.level != abstraction::pins)
    file.fail(at, "only networks with pins have links to follow packets on");
  const std::string kind = all.of<switch_entry>().chosen(e.network.config.switches).link_kind();
  const link_entry* const links = all.of<link_entry>().find(kind);
  if (links && !links->tells_of_packets())
    file.fail(at, "links of kind '" + kind + "' do not tell of the packets on them");
}

/// `trace`: what is recorded of the run, and of which part of it.
void read_trace(experiment& e, const document& file) {
  const json& trace = file.root.at("trace");
  e.trace.fst = trace.contains("fst");
  if (e.trace.fst && trace.contains("vcd"))
    file.fail(pointer("/trace/fst"), "expected one waveform, found vcd beside it");
  if (e.trace.fst && !writes_fst())
    file.fail(pointer("/trace/fst"),
              "this build writes no FST, as Verilator's writer or zlib was missing: expected trace.vcd");
  const char* const waves = e.trace.fst ? "fst" : "vcd";
  e.trace.file = value<std::string>(trace, waves, "");
  if (!e.trace.file.empty() && e.network.config.level != abstraction::pins)
    file.fail(pointer("/trace") / waves, "the transaction level has no signals for a waveform");
  e.trace.from = trace.at("from");
  e.trace.until = value<std::uint64_t>(trace, "until", 0);
  e.trace.limit = trace.at("limit").get<std::uint64_t>() << 20;
  if (e.trace.until && e.trace.until <= e.trace.from)
    file.fail(pointer("/trace/until"),
              fmt::format("expected a cycle after {}, found {}", e.trace.from, e.trace.until));
  e.packets = {value<std::string>(trace, "packets", ""), e.trace.from, e.trace.until, e.trace.limit};
  e.trace.signals = trace.at("signals").get<std::vector<std::string>>();
}

void read_rest(experiment& e, const document& file, const catalogue& all) {
  const json& measure = file.root.at("measure");
  e.measure.cycles = value<std::uint64_t>(measure, "cycles", 0);
  e.measure.find_warmup = measure.at("warmup") == "auto";
  e.measure.warmup = e.measure.find_warmup ? 0 : measure.at("warmup").get<std::uint64_t>();
  if (e.measure.find_warmup && !e.measure.cycles)
    file.fail(pointer("/measure/warmup"), "auto finds the warm-up within measure.cycles: expected them");
  e.measure.drain = measure.at("drain");
  e.measure.interval = measure.at("interval");
  e.measure.limit = measure.at("limit");
  e.measure.pending = measure.at("pending");
  e.measure.overtaking = measure.at("overtaking");
  e.measure.flows = measure.at("flows");
  e.measure.breakdown = measure.at("breakdown");
  e.measure.snapshots = measure.at("snapshots").get<std::vector<std::uint64_t>>();
  for (std::size_t i = 1; i < e.measure.snapshots.size(); ++i)
    if (e.measure.snapshots[i] <= e.measure.snapshots[i - 1])
      file.fail(pointer("/measure/snapshots") / i,
                fmt::format("expected a cycle after {}, found {}", e.measure.snapshots[i - 1],
                            e.measure.snapshots[i]));
  check_series(e, file);
  const json& checks = file.root.at("checks");
  e.checks.links = checks.at("links");
  e.checks.watchdog = checks.at("watchdog");
  check_breakdown(e, file, all);
  read_trace(e, file);
}

/// What two of them wrote into one file would be neither's; what is read stays as it is.
void check_written_files(const document& file) {
  const std::vector<written_file> all = written_files(file.root);
  for (auto one = all.begin(); one != all.end(); ++one) {
    if (const std::string reader = reader_of(one->name, file); !reader.empty())
      file.fail(one->at,
                fmt::format("found '{}', which is read as {}, expected another file", one->name, reader));
    for (auto before = all.begin(); before != one; ++before)
      if (same_file(before->name, one->name))
        file.fail(one->at, fmt::format("found '{}', which {} writes as well, expected another file",
                                       one->name, before->key()));
  }
}

void add_measure(experiment& e, const document& file, const pointer& at, const measure_entry& what,
                 const json& section) {
  try {
    what.make(section, measured_part(e));
  } catch (const std::invalid_argument& error) {
    file.fail(at, error.what());
  }
  e.measures.emplace_back([&what, section, tree = e.software.tree, context = measured_part(e)] {
    return what.make(section, context);
  });
}

void read_measures(experiment& e, const document& file, const catalogue& all) {
  const json& list = file.root.at("measures");
  for (std::size_t i = 0; i < list.size(); ++i)
    add_measure(e, file, pointer("/measures") / i, all.of<measure_entry>().chosen(list[i]), list[i]);
  check_written_files(file);
}

}  // namespace

measure_context measured_part(const experiment& e) {
  return {e.measure.warmup,
          e.measure.cycles,
          static_cast<unsigned>(e.network.shape.terminals.size()),
          e.software.tree.get(),
          e.hot,
          e.tells_of_packets && !e.replies && !e.reduces};
}

experiment read_experiment(const document& file, const catalogue& all) {
  experiment e;
  const json& root = file.root;
  e.name = root.at("name");
  e.seed = root.at("seed");
  e.network = read_network(file, all);
  e.packet_length = e.network.config.packet_length;
  e.hot.assign(e.network.shape.terminals.size(), false);
  read_rest(e, file, all);
  read_resets(e, file);
  const interface_entry& interfaces = all.of<interface_entry>().chosen(e.network.config.interfaces);
  const network_uses uses = interfaces.networks(e.network.config.interfaces);
  const bool serves = std::count(uses.begin(), uses.end(), network_use::replies) != 0;
  e.tells_of_packets = !serves || interfaces.answers();
  e.reduces = !requests_of(all, e.network.config).reductions.empty();
  read_endpoints(e, file, interfaces);
  read_software(e, file, all, interfaces);
  if (root.contains("workload")) read_workload(e, file, all);
  if (!root.contains("workload") || !e.on_workload.empty()) read_traffic(e, file, all);
  read_measures(e, file, all);
  e.checks.longest_wait = longest_wait(e, file, all);
  return e;
}

}  // namespace spillway
