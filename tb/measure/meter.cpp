#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <spillway/tb/measure/meter.hpp>
#include <spillway/tb/measure/steady_state.hpp>
#include <utility>

namespace spillway {

namespace {

// Parts that are kept while the warm-up is not known: then pairs of them become one.
constexpr std::size_t most_parts = 128;

}  // namespace

void meter::traffic_class::merge(const traffic_class& other) {
  created.merge(other.created);
  arrived.merge(other.arrived);
  latency.merge(other.latency);
  network_latency.merge(other.network_latency);
}

void meter::part::merge(const part& other) {
  for (std::size_t i = 0; i < std::size(classes); ++i) classes[i].merge(other.classes[i]);
  latency.merge(other.latency);
  network_latency.merge(other.network_latency);
}

meter::meter(const meter_config& config, std::vector<bool> hot)
    : config_(config),
      hot_(std::move(hot)),
      parts_(1),
      part_length_(config.find_warmup ? 5 * config.interval : 0),
      pending_(config.pending ? hot_.size() : 0),
      held_back_(pending_.size()),
      series_pending_(pending_.size()),
      series_held_back_(pending_.size()) {}

void meter::created(std::uint64_t cycle, const flit& head) {
  ++created_;
  ++outstanding_;
  if (!measured(cycle)) return;
  ++tagged_;
  part_at(cycle).classes[class_of(head.kind, head.destination)].created.add(head.length);
}

meter::part& meter::part_at(std::uint64_t cycle) {
  if (!part_length_) return parts_.front();
  while (cycle / part_length_ >= most_parts) {
    for (std::size_t i = 0; 2 * i < parts_.size(); ++i) {
      if (i) parts_[i] = std::move(parts_[2 * i]);
      if (2 * i + 1 < parts_.size()) parts_[i].merge(parts_[2 * i + 1]);
    }
    parts_.resize((parts_.size() + 1) / 2);
    part_length_ *= 2;
  }
  const std::size_t index = cycle / part_length_;
  if (index >= parts_.size()) parts_.resize(index + 1);
  return parts_[index];
}

meter::interval_sums& meter::sums_at(std::uint64_t cycle) {
  const std::size_t index = cycle / config_.interval;
  if (index >= sums_.size()) sums_.resize(std::max(index + 1, sums_.size() * 2));
  return sums_[index];
}

void meter::injected(std::uint32_t destination) {
  if (config_.pending) ++pending_[destination];
}

void meter::holding(std::uint32_t destination, bool begins) {
  if (!config_.pending) return;
  begins ? ++held_back_[destination] : --held_back_[destination];
}

void meter::write_off() {
  reset_ = true;
  dropped_ += std::exchange(outstanding_, 0);
  tagged_ = tagged_done_;
  std::fill(pending_.begin(), pending_.end(), 0);
  std::fill(held_back_.begin(), held_back_.end(), 0);
}

void meter::delivered(const delivery& d) {
  if (config_.pending) --pending_[d.destination];
  const unsigned which = class_of(d.kind, d.destination);
  ++delivered_;
  --outstanding_;
  hot_delivered_ += which == hot_class;
  if (measured(d.cycle)) {
    part_at(d.cycle).classes[which].arrived.add(d.length);
    ++sums_at(d.cycle).delivered;
  }
  if (!measured(d.created)) return;
  ++tagged_done_;
  part& p = part_at(d.created);
  traffic_class& c = p.classes[which];
  c.latency.add(d.cycle - d.created);
  c.network_latency.add(d.cycle - d.injected);
  p.latency.add(d.cycle - d.created);
  p.network_latency.add(d.cycle - d.injected);
  interval_sums& sums = sums_at(d.created);
  sums.latency += d.cycle - d.created;
  ++sums.packets;
}

void meter::sample(std::uint64_t cycle, std::uint64_t in_flight, const std::vector<double>& fill) {
  at_.push_back(static_cast<double>(cycle));
  const auto take = [](std::vector<double>& column, std::uint64_t& count) {
    column.push_back(static_cast<double>(count));
    count = 0;
  };
  take(series_created_, created_);
  take(series_delivered_, delivered_);
  take(series_hot_, hot_delivered_);
  take(series_dropped_, dropped_);
  series_in_flight_.push_back(static_cast<double>(in_flight));
  for (std::size_t t = 0; t < pending_.size(); ++t) {
    series_pending_[t].push_back(pending_[t] - held_back_[t]);
    series_held_back_[t].push_back(held_back_[t]);
  }
  fill_.resize(std::max(fill_.size(), fill.size()));
  for (std::size_t stage = 0; stage < fill.size(); ++stage) fill_[stage].push_back(fill[stage]);
}

/// The terminal that has the most, over time and at all.
void meter::add_most(run_record& record, const char* name,
                     const std::vector<std::vector<double>>& series) const {
  column most{name, std::vector<double>(at_.size())};
  for (const auto& row : series)
    for (std::size_t i = 0; i < row.size(); ++i) most.values[i] = std::max(most.values[i], row[i]);
  record.counters[name] = at_.empty() ? 0 : *std::max_element(most.values.begin(), most.values.end());
  record.series.columns.push_back(std::move(most));
}

/// Cycles to leave out, a multiple of the parts. Says in the record if the rule finds none.
std::uint64_t meter::find_warmup(run_record& record, std::uint64_t end) const {
  record.warmup_found = true;
  std::vector<double> latency;  // mean of the packets made in each interval, if any, else of those before
  std::uint64_t empty = 0;      // intervals at the beginning
  for (std::size_t i = 0; i < sums_.size() && (i + 1) * config_.interval <= end; ++i) {
    const interval_sums& s = sums_[i];
    if (s.packets)
      latency.push_back(static_cast<double>(s.latency) / static_cast<double>(s.packets));
    else if (!latency.empty())
      latency.push_back(latency.back());
    else
      ++empty;
  }
  const warmup_length found = mser5(latency);
  const std::uint64_t length = (empty + found.observations) * config_.interval;
  const std::uint64_t cut = std::min((length + part_length_ - 1) / part_length_ * part_length_, end);
  if (latency.size() < least_observations)
    record.confidence.warning = fmt::format(
        "{} intervals of {} cycles are too few to find the warm-up in, so {} cycles were taken for it: "
        "measure {} intervals or more",
        latency.size(), config_.interval, cut, least_observations);
  else if (!found.settled)
    record.confidence.warning =
        "latency has not settled in the first half of the run, so half of it was taken for the warm-up: "
        "measure longer, or the network is saturated";
  return cut;
}

/// Of intervals that lie in the measured part whole, in batches of as many.
confidence_record meter::confidence(std::uint64_t from, std::uint64_t end, unsigned terminals) const {
  confidence_record c;
  const std::uint64_t first = (from + config_.interval - 1) / config_.interval, last = end / config_.interval;
  const std::uint64_t each = last > first ? (last - first) / batch_count : 0;
  if (each == 0) {
    c.warning = fmt::format(
        "no confidence intervals: the measured part has fewer than {} intervals of {} cycles; measure "
        "longer, or "
        "with a shorter measure.interval",
        batch_count, config_.interval);
    return c;
  }
  std::vector<double> latency, throughput;
  for (std::size_t b = 0; b < batch_count; ++b) {
    interval_sums all;
    for (std::uint64_t i = last - (batch_count - b) * each; i < last - (batch_count - b - 1) * each; ++i) {
      if (i >= sums_.size()) break;
      all.latency += sums_[i].latency;
      all.packets += sums_[i].packets;
      all.delivered += sums_[i].delivered;
    }
    throughput.push_back(static_cast<double>(all.delivered) /
                         (static_cast<double>(each * config_.interval) * terminals));
    if (all.packets) latency.push_back(static_cast<double>(all.latency) / static_cast<double>(all.packets));
  }
  const mean_interval of_throughput = batch_means(throughput);
  c.throughput = of_throughput.half_width;
  double correlation = of_throughput.correlation;
  if (latency.size() == batch_count) {
    const mean_interval of_latency = batch_means(latency);
    c.latency = of_latency.half_width;
    correlation = std::max(correlation, of_latency.correlation);
  } else {
    c.warning = fmt::format(
        "no confidence interval of the latency: in {} of {} batches of {} cycles no packet was "
        "made that arrived; measure longer",
        batch_count - latency.size(), batch_count, each * config_.interval);
  }
  if (correlation > most_correlation)
    c.warning = fmt::format(
        "the confidence intervals may be too narrow: batches of {} cycles depend on each other "
        "(correlation of neighbours {:.2f}); measure longer, or the network is saturated",
        each * config_.interval, correlation);
  return c;
}

void meter::report(run_record& record, std::uint64_t cycles, unsigned terminals) const {
  const std::uint64_t end = config_.cycles ? std::min(cycles, config_.warmup + config_.cycles) : cycles;
  const std::uint64_t from = config_.find_warmup ? find_warmup(record, end) : config_.warmup;
  record.measured_from = from;
  record.measured_cycles = end > from ? end - from : 0;
  part all;
  for (std::size_t i = part_length_ ? from / part_length_ : 0; i < parts_.size(); ++i) all.merge(parts_[i]);
  if (config_.cycles && end > from) {
    std::string warning = std::move(record.confidence.warning);
    record.confidence = confidence(from, end, terminals);
    if (!warning.empty()) record.confidence.warning = std::move(warning);
  }
  const double terminal_cycles = static_cast<double>(record.measured_cycles) * terminals;
  const auto load = [terminal_cycles](const amount& made, const amount& arrived) -> load_summary {
    if (terminal_cycles <= 0) return {};
    const auto share = [=](std::uint64_t n) { return static_cast<double>(n) / terminal_cycles; };
    return {share(made.packets), share(arrived.packets), share(made.flits), share(arrived.flits)};
  };
  amount made, arrived;
  for (const traffic_class& c : all.classes) {
    made.merge(c.created);
    arrived.merge(c.arrived);
  }
  const load_summary total = load(made, arrived);
  record.throughput = total.throughput;
  record.offered = total.offered;
  record.throughput_flits = total.throughput_flits;
  record.offered_flits = total.offered_flits;
  record.latency = all.latency.summary();
  record.network_latency = all.network_latency.summary();
  constexpr const char* names[] = {"cool", "hot", "reply"};
  for (const unsigned which : {cool_class, hot_class, reply_class}) {
    const traffic_class& source = all.classes[which];
    if (which == reply_class && !source.created.packets && !source.arrived.packets) continue;
    class_record& c = record.classes[names[which]];
    c.delivered = source.arrived.packets;
    c.load = load(source.created, source.arrived);
    c.latency = source.latency.summary();
    c.network_latency = source.network_latency.summary();
  }
  record.histogram = all.latency.histogram();
  record.series.interval = record.occupancy.interval = config_.interval;
  record.series.columns = {{"cycle", at_},
                           {"created", series_created_},
                           {"delivered", series_delivered_},
                           {"delivered_hot", series_hot_},
                           {"in_flight", series_in_flight_}};
  if (reset_) record.series.columns.push_back({"reset_dropped", series_dropped_});
  record.occupancy.rows = fill_;
  if (!config_.pending) return;
  add_most(record, "pending_most", series_pending_);
  add_most(record, "held_back_most", series_held_back_);
  for (std::size_t t = 0; t < series_pending_.size(); ++t)
    record.series.columns.push_back({pending_prefix + std::to_string(t), series_pending_[t]});
}

}  // namespace spillway
