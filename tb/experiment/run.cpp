#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <spillway/hw/kernel/teardown.hpp>
#include <spillway/hw/links/packet_checker.hpp>
#include <spillway/platforms/elaborate/interface_chain.hpp>
#include <spillway/platforms/elaborate/objection.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>
#include <spillway/tb/experiment/delivery_log.hpp>
#include <spillway/tb/experiment/network_history.hpp>
#include <spillway/tb/experiment/network_load.hpp>
#include <spillway/tb/experiment/network_snapshots.hpp>
#include <spillway/tb/experiment/packet_trace.hpp>
#include <spillway/tb/experiment/packet_ways.hpp>
#include <spillway/tb/experiment/run.hpp>
#include <spillway/tb/experiment/run_end.hpp>
#include <spillway/tb/experiment/stage_rows.hpp>
#include <spillway/tb/experiment/waveform.hpp>
#include <spillway/tb/measure/flow_meter.hpp>
#include <spillway/tb/measure/measurement.hpp>
#include <spillway/tb/measure/meter.hpp>
#include <spillway/tb/measure/scoreboard.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <utility>

namespace spillway {

namespace {

/// Whether routing and switches, or the interfaces, promise order between two terminals.
bool delivers_in_order(const network_plan& plan, const catalogue& all) {
  const interface_chain chain = chain_of(all, plan.config);
  return chain.in_order ||
         (plan.routes->in_order() && chain.switches->keeps_order(plan.config.switches) && chain.keeps_order);
}

overtaking order_of(const experiment& e, const catalogue& all) {
  if (e.keeps_order && delivers_in_order(e.network, all)) return overtaking::fault;
  return e.measure.overtaking ? overtaking::counted : overtaking::ignored;
}

meter_config meter_of(const experiment& e) {
  meter_config config;
  config.warmup = e.measure.warmup;
  config.find_warmup = e.measure.find_warmup;
  config.cycles = e.measure.cycles;
  config.interval = e.measure.interval;
  config.pending = e.measure.pending;
  return config;
}

/// One run: the platform, everything that watches it, and the loop that ends it.
class experiment_run {
public:
  experiment_run(const experiment& e, const catalogue& all, const run_options& options)
      : e_(e), options_(options), board_(terminals(), order_of(e, all)), meter_(meter_of(e), e.hot) {
    board_.on_creation = [this](std::uint64_t cycle, const flit& head) {
      meter_.created(cycle, head);
      for (const auto& m : measures_) m->created(cycle, head);
    };
    board_.on_delivery = [this](const delivery& d) {
      meter_.delivered(d);
      for (const auto& m : measures_) m->delivered(d);
      if (wave_) wave_->arrives(d);
      if (flows_ && meter_.measured(d.created)) flows_->add(d);
      if (ways_)
        ways_->delivered(d);
      else if (log_)
        keep(d, nullptr);
    };
    if (e.workload) workload_ = e.workload();
    for (const auto& make : e.measures) measures_.push_back(make());
    if (workload_)
      for (auto& measure : workload_->measures()) measures_.push_back(std::move(measure));
    for (const auto& m : measures_)
      for (std::string& name : m->columns()) measured_.push_back({std::move(name), {}});
    board_.on_holding = [this](const flit& head, bool holds) { meter_.holding(head.destination, holds); };
    board_.on_injection = [this](std::uint64_t cycle, const flit& head) {
      meter_.injected(head.destination);
      if (wave_) wave_->sent(cycle, head);
      for (const auto& m : measures_) m->injected(cycle, head);
    };
    if (options.deliveries) log_.emplace(*options.deliveries);
    if (e.measure.flows) flows_.emplace();
    if (e.software.make) software_ = e.software.make();
    supplies_.resize(terminals());
    if (!e.packets.file.empty()) packets_ = std::make_unique<packet_trace>(e.packets, board_);
    endpoint_observer& observer = packets_ ? static_cast<endpoint_observer&>(*packets_) : board_;
    network_ = std::make_unique<platform>(
        "network", e.network, all,
        workload{[this](unsigned t) { return make_supply(t); }, [this](unsigned t) { return e_.sinks[t]; },
                 observer, !workload_ && !software_ && !packets_});
    if (packets_) packets_->watch(*network_, all);
    if (e.checks.links) attach_checkers();
    load_.emplace(*network_, e.network.shape, checkers_);
    snapshots_.emplace(*network_, e.network.shape, e.measure.snapshots);
    if (options.history) history_.emplace(*network_, e.network.shape, *load_);
    const auto* const entry = all.of<topology_entry>().find(e.network.shape.kind);
    rows_.emplace(e.network.shape, network_->networks(), entry ? entry->column() : "column");
    end_.emplace(e, board_, meter_, *network_, workload_.get(), supplies_);
    if (log_ || e.measure.breakdown || !e.trace.file.empty()) follow_packets();
  }
  ~experiment_run() {
    first_.go();
    tear_down(checkers_);
    if (packets_) packets_->detach();
  }
  experiment_run(const experiment_run&) = delete;
  experiment_run& operator=(const experiment_run&) = delete;

  run_record carry_out();

private:
  unsigned terminals() const { return static_cast<unsigned>(e_.network.shape.terminals.size()); }
  std::unique_ptr<packet_supply> make_supply(unsigned terminal);
  void attach_checkers();
  void note(const violation& v);
  void follow_packets();
  waveform_names wave_names() const;
  void keep(const delivery& d, const journey* way);
  void run_on(std::uint64_t cycle);
  std::string advance();
  void take_samples();
  void run_to(std::uint64_t cycle);
  std::uint64_t next_mark() const;
  void pass_mark();
  std::vector<double> fill() const;
  std::vector<std::string> blocked_links() const;
  void sample_measures(std::uint64_t cycle);
  const measurement* faulty_measure(const std::string& ended) const;
  void judge(run_record& record, const std::string& ended) const;

  first_module first_{"first"};
  const experiment& e_;
  const run_options& options_;
  scoreboard board_;
  meter meter_;
  std::unique_ptr<workload_run> workload_;
  std::vector<std::unique_ptr<measurement>> measures_;  // may look at the workload
  std::vector<column> measured_;                        // of the series, by the measurements, in their order
  std::optional<delivery_log> log_;
  std::exception_ptr log_failed_;
  std::unique_ptr<terminal_software> software_;
  std::vector<packet_supply*> supplies_;
  std::unique_ptr<packet_trace> packets_;
  std::unique_ptr<platform> network_;
  std::vector<std::unique_ptr<stepped>> checkers_;
  std::optional<network_load> load_;
  std::optional<packet_ways> ways_;
  std::optional<flow_meter> flows_;
  std::optional<network_history> history_;
  std::optional<network_snapshots> snapshots_;
  std::optional<waveform> wave_;
  std::vector<std::string> violations_;
  std::uint64_t violation_count_ = 0;
  std::optional<stage_rows> rows_;  // of occupancy over time
  std::size_t reset_ = 0;           // the next one, or the one under way
  std::optional<run_end> end_;
};

std::unique_ptr<packet_supply> experiment_run::make_supply(unsigned terminal) {
  const bool works = workload_ && (e_.on_workload.empty() || e_.on_workload[terminal]);
  auto supply = works ? workload_->supply(terminal) : e_.supply(terminal);
  if (software_) supply = software_->supply(terminal, std::move(supply));
  supplies_[terminal] = supply.get();
  return supply;
}

waveform_names experiment_run::wave_names() const {
  waveform_names names{rows_->stage_of(), rows_->stage(), {}};
  for (const auto& checker : checkers_)
    if (auto* const packets = dynamic_cast<packet_checker*>(checker.get()))
      names.lanes[packets->counted_link()] = packets->lanes().count();
  return names;
}

void experiment_run::follow_packets() {
  std::vector<unsigned> row_of_switch;
  for (std::size_t s = 0; s < network_->switches().size(); ++s) row_of_switch.push_back(rows_->of(s));
  ways_.emplace(*network_, checkers_, std::move(row_of_switch), rows_->names(), e_.measure.breakdown,
                [this](const delivery& d, const journey* way) {
                  if (e_.measure.breakdown && meter_.measured(d.created)) ways_->count(way);
                  if (log_) keep(d, way);
                });
  if (!e_.trace.file.empty())
    ways_->on_crossing([this](std::uint64_t cycle, std::uint32_t link, const flit& head) {
      if (wave_) wave_->crosses(cycle, link, head);
    });
  if (ways_->follows()) return;
  if (e_.measure.breakdown)
    throw objection_error("/measure/breakdown", "no link of this network tells of the packets on it");
  ways_.reset();
}

void experiment_run::attach_checkers() {
  checkers_ = network_->make_checkers([this](const violation& v) { note(v); });
}

void experiment_run::note(const violation& v) {
  ++violation_count_;
  if (wave_) wave_->mark(v.cycle, v.rule, v.link);
  if (violations_.size() < 20) violations_.push_back(v.message);
}

/// Writes a line of the log. What goes wrong waits for the end of the cycle: it may not pass the simulator.
void experiment_run::keep(const delivery& d, const journey* way) {
  if (log_failed_) return;
  try {
    log_->add(d, way);
  } catch (const io_error&) {
    log_failed_ = std::current_exception();
  }
}

std::vector<double> experiment_run::fill() const {
  std::vector<double> used(rows_->size()), room(rows_->size());
  for (std::size_t s = 0; s < network_->switches().size(); ++s) {
    used[rows_->of(s)] += load_->level(s);
    room[rows_->of(s)] += network_->switches()[s]->capacity();
  }
  for (std::size_t row = 0; row < used.size(); ++row) used[row] /= std::max(1.0, room[row]);
  return used;
}

/// Runs to that cycle, through the resets that come before it.
void experiment_run::run_to(std::uint64_t end) {
  const auto proceed = [this](std::uint64_t cycle) {
    if (cycle <= network_->cycle()) return;
    const std::uint64_t cycles = cycle - network_->cycle();
    if (wave_)
      wave_->run(cycles);
    else
      network_->run(cycles);
  };
  for (; reset_ < e_.resets.size() && e_.resets[reset_].from < end; ++reset_) {
    const reset_pulse& r = e_.resets[reset_];
    if (network_->cycle() <= r.from) {
      proceed(r.from);
      network_->drive_reset(true);
      if (wave_) wave_->note(r.from, fmt::format("reset {}", reset_ + 1));
      board_.write_off();
      meter_.write_off();
      if (ways_) ways_->write_off();
      if (packets_) packets_->write_off();
      for (const auto& m : measures_) m->write_off(network_->cycle());
    }
    proceed(std::min(end, r.until));
    if (end < r.until) return;
    network_->drive_reset(false);
  }
  proceed(end);
}

/// Where the measured part begins or, after that, ends.
std::uint64_t experiment_run::next_mark() const {
  const std::uint64_t begin = e_.measure.warmup, cycle = network_->cycle();
  if (cycle < begin) return begin;
  return e_.measure.cycles ? begin + e_.measure.cycles : packet_supply::never;
}

void experiment_run::pass_mark() {
  if (network_->cycle() == e_.measure.warmup)
    load_->begin();
  else
    load_->end();
}

/// Runs to that cycle or until someone stops it, which is looked at every thousand cycles.
void experiment_run::run_on(std::uint64_t end) {
  while (network_->cycle() < end && !(options_.stop && *options_.stop)) {
    const std::uint64_t mark = next_mark();
    run_to(std::min(mark > network_->cycle() ? std::min(end, mark) : end, network_->cycle() + 1000));
    if (network_->cycle() == mark) pass_mark();
    if (log_failed_) std::rethrow_exception(log_failed_);
  }
}

/// Runs to the end of the experiment and says in a word what ended it.
std::string experiment_run::advance() {
  if (e_.measure.warmup == 0) load_->begin();
  if (options_.progress) options_.progress(0, end_->window());
  while (true) {
    run_on(network_->cycle() + std::min(e_.measure.interval, e_.measure.limit - network_->cycle()));
    take_samples();
    if (options_.stop && *options_.stop) return "interrupted";
    if (std::string end = end_->at(network_->cycle()); !end.empty()) return end;
  }
}

/// An interval is over.
void experiment_run::take_samples() {
  const std::uint64_t cycle = network_->cycle();
  load_->sample([this](const violation& v) { note(v); });
  if (history_) history_->sample();
  meter_.sample(cycle, board_.in_flight(), fill());
  sample_measures(cycle);
  snapshots_->sample();
  if (options_.progress) options_.progress(cycle, end_->window());
}

std::vector<std::string> experiment_run::blocked_links() const {
  std::vector<std::string> list;
  for (const network_link* const l : network_->links()) {
    const std::optional<flit> waits = l->blocked();
    if (!waits) continue;
    list.push_back(fmt::format("{} is blocked with a flit from terminal {} to {}", l->path(), waits->source,
                               waits->destination));
    if (list.size() == 16) break;
  }
  return list;
}

void experiment_run::sample_measures(std::uint64_t cycle) {
  auto next = measured_.begin();
  for (const auto& m : measures_)
    for (const double value : m->sample(cycle)) (next++)->values.push_back(value);
}

/// The first that found a fault, or nullptr.
const measurement* experiment_run::faulty_measure(const std::string& ended) const {
  const bool cut =
      ended == "limit" || ended == "interrupted" || (end_->window() && network_->cycle() >= end_->window());
  const auto found = std::find_if(measures_.begin(), measures_.end(), [&](const auto& m) {
    return !m->fault().empty() && !(cut && m->fault() == measurement::fault_at_rest);
  });
  return found == measures_.end() ? nullptr : found->get();
}

void experiment_run::judge(run_record& record, const std::string& ended) const {
  const scoreboard_counts& counts = board_.counts();
  record.created = counts.created;
  record.injected = counts.injected;
  record.delivered = counts.delivered;
  record.duplicated = counts.duplicated;
  record.misordered = counts.misordered;
  record.corrupted = counts.corrupted + counts.misrouted;
  record.reset_dropped = counts.reset_dropped;
  record.reset_dropped_flits = counts.reset_dropped_flits;
  record.lost_in_reset = network_->lost_in_reset();
  record.violations = violation_count_;
  record.saturated =
      ended == "saturated" || falls_behind(record.throughput, record.offered, sustained_share,
                                           static_cast<double>(record.measured_cycles * record.terminals));
  record.partial = ended == "interrupted" || ended == "limit" || ended == "deadlock" || ended == "stuck";
  // Flits that no block holds any more although they are outstanding.
  const std::uint64_t held = network_->held_flits();
  record.lost = board_.outstanding_flits() > held ? board_.outstanding_flits() - held : 0;
  // Flits that a reset found outstanding although no block held them.
  if (record.reset_dropped_flits > record.lost_in_reset)
    record.lost += record.reset_dropped_flits - record.lost_in_reset;

  record.findings = violations_;
  record.findings.insert(record.findings.end(), board_.faults().begin(), board_.faults().end());
  if (record.violations) {
    record.status = "protocol violation";
  } else if (record.lost) {
    record.status = "lost flits";
    record.findings.push_back(fmt::format("{} flits are held by no block and have not arrived", record.lost));
  } else if (record.duplicated) {
    record.status = "duplicated packets";
  } else if (record.corrupted) {
    record.status = "corrupted packets";
  } else if (record.misordered) {
    record.status = "misordered packets";
  } else if (const measurement* const found = faulty_measure(ended)) {
    record.status = found->fault() == measurement::fault_at_rest ? "stuck" : found->fault();
    for (std::string& words : found->findings()) record.findings.push_back(std::move(words));
  } else if (ended == "deadlock") {
    record.status = "deadlock";
    record.findings.push_back(fmt::format("no flit has moved for {} cycles and {} packets are in the network",
                                          end_->patience(), board_.in_flight()));
    for (std::string& link : blocked_links()) record.findings.push_back(std::move(link));
  } else if (ended != "saturated") {
    record.status = ended;
  }
  if (ended == "limit")
    record.findings.push_back(
        fmt::format("stopped at cycle {} with {} packets outstanding", record.cycles, board_.outstanding()));
  if (ended == "stuck")
    for (std::string& words : workload_->waits()) record.findings.push_back(std::move(words));
  if (record.cycles < e_.silent_until && board_.outstanding())
    record.findings.push_back(
        fmt::format("{} packets wait for terminals that do not listen", board_.outstanding()));
}

run_record experiment_run::carry_out() {
  if (!e_.trace.file.empty()) wave_.emplace(e_.trace, *network_, wave_names());
  const auto start = std::chrono::steady_clock::now();
  const std::string ended = advance();
  if (ways_) ways_->settle();
  if (log_failed_) std::rethrow_exception(log_failed_);
  run_record record;
  record.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  record.name = e_.name;
  record.kernel = name_of(e_.network.config.runs_on);
  if (const clock_domain* const domain = network_->domain()) {
    record.threads = domain->threads();
    record.why_fewer_threads = domain->why_fewer();
  } else if (e_.network.config.threads > 1) {
    record.why_fewer_threads = "the signals kernel has no more";
  }
  record.level = name_of(e_.network.config.level);
  record.seed = e_.seed;
  record.cycles = network_->cycle();
  record.terminals = terminals();
  record.blocks = network_->blocks();
  record.links = network_->links().size();
  for (const auto& s : network_->switches()) record.places += s->capacity();
  const unsigned name_bits = bits_below(terminals());
  const auto size = [name_bits](const hardware_size& s) {
    return size_record{s.flits, s.names * name_bits + s.bits};
  };
  const platform_size parts = network_->size();
  record.hardware = {size(parts.switches), size(parts.stages), size(parts.interfaces), size(parts.wires)};
  meter_.report(record, record.cycles, terminals());
  for (const auto& m : measures_) m->finish(record.cycles);
  judge(record, ended);
  const std::uint64_t hops = network_->forwarded();
  if (board_.counts().flits)
    record.hops = static_cast<double>(hops) / static_cast<double>(board_.counts().flits);
  record.hops_per_second = record.wall_seconds > 0 ? static_cast<double>(hops) / record.wall_seconds : 0;
  record.occupancy.stages = rows_->names();
  record.counters.merge(network_->count());
  if (e_.measure.overtaking) record.counters["overtaken"] = static_cast<double>(board_.counts().overtaken);
  for (const auto& m : measures_) {
    m->count(record.counters);
    for (series_picture& p : m->pictures()) record.pictures.push_back(std::move(p));
    for (table_record& t : m->tables()) record.tables.push_back(std::move(t));
    for (compared_number& n : m->compared()) record.compared.push_back(std::move(n));
  }
  load_->report(record);
  if (e_.measure.breakdown) ways_->report(record);
  if (flows_) record.flows = flows_->report();
  record.flows_wanted = e_.measure.flows;
  record.network = snapshots_->report(history_ ? history_->take() : history_record{});
  for (column& c : measured_) record.series.columns.push_back(std::move(c));
  if (software_) software_->count(record.counters);
  record.config_yaml = e_.config_yaml;
  if (log_) log_->finish();
  if (packets_) {
    packets_->finish();
    if (packets_->cut_at())
      record.findings.push_back(
          fmt::format("the record of packets ends at cycle {}: trace.limit is reached", packets_->cut_at()));
  }
  if (!wave_) return record;
  wave_->finish();
  if (wave_->empty())
    record.findings.push_back(
        fmt::format("no waveform: the run ended before cycle {} (trace.from)", e_.trace.from));
  if (wave_->cut_at())
    record.findings.push_back(
        fmt::format("the waveform ends at cycle {}: trace.limit is reached", wave_->cut_at()));
  return record;
}

}  // namespace

run_record run_experiment(const experiment& e, const catalogue& all, const run_options& options) {
  return experiment_run(e, all, options).carry_out();
}

}  // namespace spillway
