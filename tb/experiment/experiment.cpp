#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <spillway/hw/nifdy/nifdy_header.hpp>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/experiment/experiment.hpp>
#include <spillway/tb/traffic/answering_supply.hpp>
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

std::uint32_t terminal_at(const document& file, const pointer& at, std::size_t terminals) {
  const auto t = file.root.at(at).get<std::uint64_t>();
  if (t >= terminals) file.fail(at, fmt::format("expected a terminal 0..{}, found {}", terminals - 1, t));
  return static_cast<std::uint32_t>(t);
}

std::vector<std::uint32_t> terminals_at(const document& file, const pointer& at, std::size_t terminals) {
  std::vector<std::uint32_t> list;
  if (!file.root.contains(at)) return list;
  for (std::size_t i = 0; i < file.root.at(at).size(); ++i)
    list.push_back(terminal_at(file, at / i, terminals));
  return list;
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
  if (e.network.config.level == abstraction::transaction &&
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
      if (!e.sinks[t].pauses.empty() && e.sinks[t].pauses.back().until > p.from)
        file.fail(at, fmt::format("the pauses of terminal {} overlap or are out of order", t));
      e.sinks[t].pauses.push_back(p);
    }
    e.silent_until = std::max(e.silent_until, p.until);
  }
}

/// `endpoint.combining`: the tree along which terminals combine in software.
void read_tree(experiment& e, const document& file, const interface_entry& interfaces) {
  const pointer at("/endpoint/combining");
  if (!file.root.contains(at)) return;
  const json& section = file.root.at(at);
  if (!interfaces.answers())
    file.fail(at, "software combining needs the interface 'plain', found '" + interfaces.name() + "'");
  const std::size_t n = e.network.shape.terminals.size();
  if (n < 2) file.fail(at, "expected 2 or more terminals");
  const std::uint32_t root = terminal_at(file, at / "root", n);
  auto rules = std::make_shared<tree_rules>();
  if (section.at("tree") == "fan_in") {
    rules->tree = fan_in_tree(static_cast<std::uint32_t>(n), section.at("fan_in").get<std::uint32_t>(), root);
  } else {
    const auto dimension = static_cast<unsigned>(std::lround(std::log2(n)));
    const unsigned cluster = value(section, "cluster", value(file.root.at("topology"), "cluster", dimension));
    if (n != std::size_t{1} << dimension || dimension > 20)
      file.fail(at / "tree", fmt::format("a cube has a power of two up to 2^20 terminals, found {}", n));
    if (cluster > dimension)
      file.fail(at / "cluster", fmt::format("expected 0..{} dimensions, found {}", dimension, cluster));
    rules->tree = cube_tree(dimension, cluster, root, e.seed);
  }
  rules->episodes = section.at("barriers");
  rules->think = section.at("think");
  rules->seed = e.seed;
  e.tree = std::move(rules);
}

std::shared_ptr<const std::vector<trace_line>> read_trace(const document& file, const pointer& at,
                                                          std::size_t terminals) {
  const auto path = file.resolve(file.root.at(at).get<std::string>());
  std::ifstream in(path);
  if (!in) file.fail(at, fmt::format("cannot read '{}'", path.string()));
  auto lines = std::make_shared<std::vector<trace_line>>();
  std::string text;
  for (unsigned number = 1; std::getline(in, text); ++number) {
    if (text.empty() || text[0] == '#' || (number == 1 && text.rfind("cycle", 0) == 0)) continue;
    std::uint64_t field[4] = {0, 0, 0, 1};
    const char* p = text.data();
    const char* const end = p + text.size();
    unsigned fields = 0;
    for (; fields < 4; ++fields) {
      const auto [next, error] = std::from_chars(p, end, field[fields]);
      if (error != std::errc{}) break;
      p = next;
      if (p == end || *p != ',') break;
      ++p;
    }
    const auto wrong = [&](const std::string& what) {
      throw config_error(fmt::format("{}:{}:{}: {}", path.string(), number, p - text.data() + 1, what));
    };
    if (p != end && *p != '\r') wrong("expected cycle,source,destination,size as whole numbers");
    if (fields < 3) wrong("expected cycle,source,destination,size");
    if (field[1] >= terminals || field[2] >= terminals)
      wrong(fmt::format("expected terminals 0..{}, found {} and {}", terminals - 1, field[1], field[2]));
    if (field[3] < 1 || field[3] > 65535)
      wrong(fmt::format("expected a size of 1..65535 flits, found {}", field[3]));
    if (!lines->empty() && field[0] < lines->back().cycle) wrong("expected cycles in ascending order");
    lines->push_back({field[0], static_cast<std::uint32_t>(field[1]), static_cast<std::uint32_t>(field[2]),
                      static_cast<std::uint16_t>(field[3])});
  }
  return lines;
}

pattern pattern_of(const std::string& name) {
  static const std::map<std::string, pattern> names{{"uniform", pattern::uniform},
                                                    {"hotspot", pattern::hotspot},
                                                    {"shift", pattern::shift},
                                                    {"transpose", pattern::transpose},
                                                    {"bit_reversal", pattern::bit_reversal},
                                                    {"bit_complement", pattern::bit_complement},
                                                    {"tornado", pattern::tornado},
                                                    {"shuffle", pattern::shuffle},
                                                    {"all_to_one", pattern::all_to_one},
                                                    {"cshift", pattern::cshift},
                                                    {"locality", pattern::locality},
                                                    {"trace", pattern::trace}};
  return names.at(name);
}

injection injection_of(const std::string& name) {
  static const std::map<std::string, injection> names{
      {"bernoulli", injection::bernoulli}, {"exponential", injection::exponential},
      {"blocking", injection::blocking},   {"saturated", injection::saturated},
      {"burst", injection::burst},         {"batch", injection::batch}};
  return names.at(name);
}

/// The offset of a shift, which may be negative, as 0..n-1.
std::uint64_t read_offset(const json& offset, std::size_t n) {
  if (offset.is_number_unsigned()) return offset.get<std::uint64_t>() % n;
  const auto around = static_cast<std::int64_t>(n);
  return static_cast<std::uint64_t>((offset.get<std::int64_t>() % around + around) % around);
}

void check_permutation(const document& file, const pointer& at, pattern where, std::size_t terminals) {
  if (!needs_power_of_two(where)) return;
  const std::string name = file.root.at(at / "pattern").get<std::string>();
  if (terminals & (terminals - 1))
    file.fail(at / "pattern", fmt::format("{} needs a power of two of terminals, found {}", name, terminals));
  if (where == pattern::transpose && static_cast<int>(std::log2(terminals)) % 2)
    file.fail(at / "pattern",
              fmt::format("transpose needs an even power of two of terminals, found {}", terminals));
}

void read_batch(const experiment& e, const document& file, const pointer& at, traffic_entry& entry) {
  const json& batch = file.root.at(at / "batch");
  const std::size_t n = e.network.shape.terminals.size();
  const double share = batch.at("share");
  const auto senders = value<std::uint64_t>(
      batch, "senders", std::max<std::uint64_t>(1, std::llround(share * static_cast<double>(n))));
  if (senders > n)
    file.fail(at / "batch" / "senders", fmt::format("expected 1..{} terminals, found {}", n, senders));
  entry.batches = batch.at("count");
  entry.every = batch.at("every");
  constexpr std::uint64_t most = std::uint64_t{1} << 28;  // messages, in 1 GiB
  if (senders < n && entry.batches > most / senders)
    file.fail(at / "batch" / "count",
              fmt::format("expected at most {} batches of {} senders drawn at random, found {}",
                          most / senders, senders, entry.batches));
  if (senders < n)
    entry.plan =
        std::make_shared<batch_plan>(static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(senders),
                                     static_cast<std::uint32_t>(entry.batches), e.seed);
}

/// `targets` of a hot spot: a list, or the word `stopped`.
std::vector<std::uint32_t> read_targets(const experiment& e, const document& file, const pointer& at) {
  const json& targets = file.root.at(at);
  if (targets.is_array()) return terminals_at(file, at, e.network.shape.terminals.size());
  if (targets != "stopped")
    file.fail(at, fmt::format("expected a list of terminals or 'stopped', found {}", targets.dump()));
  return e.stopped;
}

void read_locality(experiment& e, const document& file, const pointer& at, traffic_entry& entry) {
  const json& section = file.root.at(at);
  const std::size_t n = e.network.shape.terminals.size();
  entry.unit = section.at("unit");
  entry.rate = section.at("lambda").get<double>() / static_cast<double>(entry.unit);
  const json& switches = file.root.at("switch");
  if (switches.contains("unit") && switches.at("unit") != entry.unit)
    file.fail(at / "unit", fmt::format("expected the {} cycles of 'switch.unit', found {}",
                                       switches.at("unit").get<std::uint64_t>(), entry.unit));
  entry.local = section.at("local");
  entry.cluster = section.at("cluster");
  entry.targets = terminals_at(file, at / "targets", n);
  for (const std::uint32_t t : entry.targets) e.hot[t] = true;
  if (n % entry.cluster)
    file.fail(at / "cluster", fmt::format("expected a divisor of {} terminals, found {}", n, entry.cluster));
  if (entry.local + entry.fraction > 1 + 1e-9)
    file.fail(at / "local", fmt::format("expected at most 1 together with 'fraction', found {} and {}",
                                        entry.local, entry.fraction));
}

/// Packets outside the protocol of NIFDY.
void read_bypass(experiment& e, const document& file, const pointer& at, traffic_entry& entry) {
  const json& interface = file.root.at("interface");
  const json& unit = interface.contains("nifdy") ? interface.at("nifdy") : interface;
  if (&unit == &interface && interface.at("kind") != "nifdy")
    file.fail(at, "these interfaces have no protocol to pass by: expected `interface: {kind: nifdy}`");
  if (unit.at("loss") > 0)
    file.fail(at, "what passes the protocol by is not sent again: expected `loss: 0` of the interface");
  entry.flags = nifdy::bypass;
  e.keeps_order = false;
}

traffic_entry read_entry(experiment& e, const document& file, const pointer& at) {
  const json& section = file.root.at(at);
  const std::size_t n = e.network.shape.terminals.size();
  traffic_entry entry;
  entry.where = pattern_of(section.at("pattern").get<std::string>());
  entry.when = injection_of(value<std::string>(section, "injection", "bernoulli"));
  entry.rate = value(section, "rate", entry.rate);
  entry.messages = value<std::uint64_t>(section, "messages", 0);
  entry.cycles = value<std::uint64_t>(section, "cycles", 0);
  entry.fraction = value(section, "fraction", 0.0);
  if (entry.where == pattern::shift) entry.offset = read_offset(section.at("offset"), n);
  entry.per_phase = value<std::uint64_t>(section, "messages_per_phase", 1);
  entry.include_self = value(section, "include_self", false);
  if (section.at("bypass")) read_bypass(e, file, at / "bypass", entry);
  if (value(section, "spare_stopped", false)) {
    if (e.stopped.size() + 1 >= n)
      file.fail(
          at / "spare_stopped",
          fmt::format("{} of {} terminals have stopped: nowhere is left to send to", e.stopped.size(), n));
    entry.spared.resize(n);
    for (const std::uint32_t t : e.stopped) entry.spared[t] = true;
  }
  if (section.contains("burst")) entry.burst_length = section["burst"].at("length").get<double>();
  if (entry.when == injection::batch) read_batch(e, file, at, entry);
  check_permutation(file, at, entry.where, n);
  if (entry.where == pattern::all_to_one) {
    entry.offset = terminal_at(file, at / "target", n);
    e.hot[entry.offset] = true;
  }
  if (entry.where == pattern::hotspot) {
    entry.targets = read_targets(e, file, at / "targets");
    if (entry.targets.empty() && entry.fraction < 1) entry.fraction = 0;
    for (const std::uint32_t t : entry.targets) e.hot[t] = true;
    const double share = section.at("sources");
    if (share < 1)
      entry.hot_sources =
          choose_terminals(share, static_cast<std::uint32_t>(n), section.at("placement") == "random", e.seed);
  }
  if (entry.where == pattern::locality) read_locality(e, file, at, entry);
  if (entry.where == pattern::trace) {
    auto lines = read_trace(file, at / "file", n);
    for (const trace_line& line : *lines)
      e.network.config.packet_length = std::max<unsigned>(e.network.config.packet_length, line.length);
    entry.trace = std::move(lines);
  }
  return entry;
}

void read_traffic(experiment& e, const document& file) {
  auto entries = std::make_shared<std::vector<traffic_entry>>();
  const json& list = file.root.at("traffic");
  if (list.empty() && file.root.at("interface").at("kind") == "plain")
    file.fail(pointer("/traffic"), "the terminals have nothing to send: expected an entry");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const pointer at = pointer("/traffic") / i;
    entries->push_back(read_entry(e, file, at));
    const traffic_entry& entry = entries->back();
    if (entry.unit && !e.messages)
      e.messages = {e.measure.warmup, e.measure.cycles, entry.unit, entry.fraction,
                    e.tree ? &e.tree->tree : nullptr};
    const bool ends = entry.messages || entry.when == injection::batch || entry.cycles ||
                      entry.where == pattern::cshift || entry.where == pattern::trace;
    if (!ends && i + 1 < list.size())
      file.fail(at, "this entry never ends, so the next never begins: expected 'messages' or 'cycles'");
    if (!ends && !e.measure.cycles)
      file.fail(at, "this entry never ends: expected 'messages' or 'cycles' here, or 'measure.cycles'");
  }
  const auto terminals = static_cast<std::uint32_t>(e.network.shape.terminals.size());
  e.supply = [=, length = static_cast<std::uint16_t>(e.packet_length), seed = e.seed, replies = e.replies,
              list = std::shared_ptr<const std::vector<traffic_entry>>(entries)](
                 std::uint32_t terminal) -> std::unique_ptr<packet_supply> {
    auto own = std::make_unique<traffic_supply>(list, terminal, terminals, length, seed);
    if (!replies) return own;
    return std::make_unique<answering_supply>(std::move(own));
  };
}

void read_workload(experiment& e, const document& file) {
  const json& section = file.root.at("workload");
  const pointer at("/workload");
  if (!file.root.at("traffic").empty())
    file.fail(pointer("/traffic"), "the terminals run a workload: expected no traffic beside it");
  if (e.replies)
    file.fail(pointer("/endpoint/replies"), "the terminals run a workload, which answers by itself");
  workload_plan plan;
  try {
    plan = standard_workloads().at(section.at("kind"))(
        {static_cast<std::uint32_t>(e.network.shape.terminals.size()),
         static_cast<std::uint16_t>(e.packet_length), e.seed, section});
  } catch (const std::invalid_argument& error) {
    file.fail(at, error.what());
  }
  if (plan.barriers && !file.root.at("interface").contains("processor"))
    file.fail(at, "its barriers need processors: expected `interface: {kind: nifdy, processor: {}}`");
  if (!plan.ends && !e.measure.cycles) file.fail(at, "this workload never ends: expected 'measure.cycles'");
  e.supply = plan.make;
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

void read_rest(experiment& e, const document& file) {
  const json& measure = file.root.at("measure");
  e.measure.warmup = measure.at("warmup");
  e.measure.cycles = value<std::uint64_t>(measure, "cycles", 0);
  e.measure.drain = measure.at("drain");
  e.measure.interval = measure.at("interval");
  e.measure.limit = measure.at("limit");
  e.measure.pending = measure.at("pending");
  e.measure.overtaking = measure.at("overtaking");
  const json& checks = file.root.at("checks");
  e.checks.links = checks.at("links");
  e.checks.watchdog = checks.at("watchdog");
  const json& guarantee = checks.at("guarantee");
  const std::string kind = guarantee.at("kind");
  e.checks.guarantee.kind = kind == "strong" ? guarantee_kind::strong
                            : kind == "weak" ? guarantee_kind::weak
                                             : guarantee_kind::none;
  e.checks.guarantee.within = guarantee.at("within");
  e.checks.guarantee.required = guarantee.at("required");
  const json& trace = file.root.at("trace");
  e.trace.file = value<std::string>(trace, "vcd", "");
  e.trace.from = trace.at("from");
  e.trace.until = value<std::uint64_t>(trace, "until", 0);
  e.trace.limit = trace.at("limit").get<std::uint64_t>() << 20;
  if (e.trace.until && e.trace.until <= e.trace.from)
    file.fail(pointer("/trace/until"),
              fmt::format("expected a cycle after {}, found {}", e.trace.from, e.trace.until));
  e.trace.signals = trace.at("signals").get<std::vector<std::string>>();
}

}  // namespace

experiment read_experiment(const document& file, const catalogue& all) {
  experiment e;
  const json& root = file.root;
  e.name = root.at("name");
  e.seed = root.at("seed");
  e.network = read_network(file, all);
  e.packet_length = e.network.config.packet_length;
  e.hot.assign(e.network.shape.terminals.size(), false);
  read_rest(e, file);
  read_resets(e, file);
  const interface_entry& interfaces = all.of<interface_entry>().chosen(e.network.config.interfaces);
  read_endpoints(e, file, interfaces);
  read_tree(e, file, interfaces);
  if (root.contains("workload"))
    read_workload(e, file);
  else
    read_traffic(e, file);
  return e;
}

}  // namespace spillway
