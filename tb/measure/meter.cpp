#include <algorithm>
#include <spillway/tb/measure/meter.hpp>

namespace spillway {

meter::meter(const meter_config& config, std::vector<bool> hot)
    : config_(config),
      hot_(std::move(hot)),
      pending_(config.pending ? hot_.size() : 0),
      held_back_(pending_.size()),
      series_pending_(pending_.size()),
      series_held_back_(pending_.size()) {}

void meter::created(std::uint64_t cycle) {
  ++created_;
  if (!measured(cycle)) return;
  ++tagged_;
  ++created_in_window_;
}

void meter::injected(std::uint32_t destination) {
  if (config_.pending) ++pending_[destination];
}

void meter::holding(std::uint32_t destination, bool begins) {
  if (!config_.pending) return;
  begins ? ++held_back_[destination] : --held_back_[destination];
}

void meter::write_off() {
  tagged_ = tagged_done_;
  std::fill(pending_.begin(), pending_.end(), 0);
  std::fill(held_back_.begin(), held_back_.end(), 0);
}

void meter::delivered(const delivery& d) {
  if (config_.pending) --pending_[d.destination];
  const unsigned which = d.kind == flit_kind::reply ? reply_class
                         : hot_[d.destination]      ? hot_class
                                                    : cool_class;
  ++delivered_;
  hot_delivered_ += which == hot_class;
  traffic_class& c = classes_[which];
  if (measured(d.cycle)) {
    ++delivered_in_window_;
    ++c.in_window;
  }
  if (!measured(d.created)) return;
  ++tagged_done_;
  ++c.delivered;
  c.latency.add(d.cycle - d.created);
  c.network_latency.add(d.cycle - d.injected);
  latency_.add(d.cycle - d.created);
  network_latency_.add(d.cycle - d.injected);
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

void meter::report(run_record& record, std::uint64_t cycles, unsigned terminals) const {
  const std::uint64_t end = config_.cycles ? std::min(cycles, config_.warmup + config_.cycles) : cycles;
  record.measured_from = config_.warmup;
  record.measured_cycles = end > config_.warmup ? end - config_.warmup : 0;
  const double terminal_cycles = static_cast<double>(record.measured_cycles) * terminals;
  if (terminal_cycles > 0) {
    record.throughput = static_cast<double>(delivered_in_window_) / terminal_cycles;
    record.offered = static_cast<double>(created_in_window_) / terminal_cycles;
  }
  record.latency = latency_.summary();
  record.network_latency = network_latency_.summary();
  constexpr const char* names[] = {"cool", "hot", "reply"};
  for (const unsigned which : {cool_class, hot_class, reply_class}) {
    const traffic_class& from = classes_[which];
    if (which == reply_class && !from.delivered) continue;
    class_record& c = record.classes[names[which]];
    c.delivered = from.in_window;
    c.latency = from.latency.summary();
    c.network_latency = from.network_latency.summary();
  }
  record.histogram = latency_.histogram();
  record.series.interval = record.occupancy.interval = config_.interval;
  record.series.columns = {{"cycle", at_},
                           {"created", series_created_},
                           {"delivered", series_delivered_},
                           {"delivered_hot", series_hot_},
                           {"in_flight", series_in_flight_}};
  record.occupancy.rows = fill_;
  if (!config_.pending) return;
  add_most(record, "pending_most", series_pending_);
  add_most(record, "held_back_most", series_held_back_);
  for (std::size_t t = 0; t < series_pending_.size(); ++t)
    record.series.columns.push_back({pending_prefix + std::to_string(t), series_pending_[t]});
}

}  // namespace spillway
