#include <spillway/tb/measure/meter.hpp>

namespace spillway {

meter::meter(const meter_config& config, std::vector<bool> hot) : config_(config), hot_(std::move(hot)) {}

void meter::created(std::uint64_t cycle, std::uint32_t) {
  ++created_;
  if (!measured(cycle)) return;
  ++tagged_;
  ++created_in_window_;
}

void meter::delivered(const delivery& d) {
  const bool hot = hot_[d.destination];
  ++delivered_;
  hot_delivered_ += hot;
  traffic_class& c = classes_[hot];
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
  fill_.resize(std::max(fill_.size(), fill.size()));
  for (std::size_t stage = 0; stage < fill.size(); ++stage) fill_[stage].push_back(fill[stage]);
}

}  // namespace spillway
