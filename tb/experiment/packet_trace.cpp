#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <spillway/hw/kernel/teardown.hpp>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/experiment/packet_trace.hpp>

namespace spillway {

namespace {

std::string name_of(const flit& f) { return fmt::format("{}>{} #{}", f.source, f.destination, f.packet); }

}  // namespace

/// Looks at one link.
class packet_trace::watcher final : public clocked {
public:
  packet_watch link{""};

  watcher(const sc_core::sc_module_name& name, packet_trace& trace, link_log& log)
      : clocked(name), trace_(trace), log_(log) {}

private:
  void reset() override { shown_.reset(); }
  void tick() override {
    if (!link.valid.read()) {
      shown_.reset();
      return;
    }
    const flit& f = link.data.read();
    if (!shown_ || shown_->second != f) shown_.emplace(cycle(), f);
    if (!link.crosses()) return;
    trace_.crosses(log_, cycle(), shown_->first, f);
    shown_.reset();
    wake_at(cycle() + 1);  // the next may look the same
  }

  packet_trace& trace_;
  link_log& log_;
  std::optional<std::pair<std::uint64_t, flit>> shown_;  // the flit that waits, and since when
};

packet_trace::packet_trace(const packet_trace_config& config, endpoint_observer& next)
    : config_(config), next_(next) {
  file_.emplace(config.file);
  file_->write("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n");
}

packet_trace::~packet_trace() = default;

packet_trace::packet_key packet_trace::key_of(const flit& f) {
  return {f.source, f.packet, f.network, static_cast<std::uint8_t>(f.kind)};
}

unsigned packet_trace::new_track(const std::string& name) {
  const auto number = static_cast<unsigned>(tracks_.size());
  tracks_.emplace_back();
  const std::string text = nlohmann::json(name).dump();
  write(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", number, text));
  write(fmt::format(R"({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}})", number,
                    number));
  return number;
}

void packet_trace::watch(platform& network) {
  cycle_us_ = network.period() / sc_core::sc_time(1, sc_core::SC_US);
  for (unsigned t = 0; t < network.terminals().size(); ++t)
    terminals_.push_back(new_track(fmt::format("terminal {}", t)));
  for (const auto& s : network.switches()) switches_.push_back(new_track(s->basename()));
  switches_a_network_ = std::max<std::size_t>(1, switches_.size() / std::max(1u, network.networks()));
  const top_level_scope scope(network.domain());
  for (network_link* const l : network.links()) {
    auto* const packets = dynamic_cast<packet_link*>(l);
    if (!packets) continue;
    logs_.push_back(std::make_unique<link_log>(link_log{l, new_track(l->name()), {}, {}}));
    watchers_.push_back(
        std::make_unique<watcher>(fmt::format("trace_{}", logs_.size()).c_str(), *this, *logs_.back()));
    packets->connect(watchers_.back()->link);
    network.attach(*watchers_.back());
  }
  if (logs_.empty())
    throw config_error("trace.packets records packets on packet links, and this network has none");
}

void packet_trace::created(std::uint64_t cycle, const flit& head) {
  journeys_[key_of(head)].created = cycle;
  next_.created(cycle, head);
}

void packet_trace::injected(std::uint64_t cycle, const flit& head) {
  const auto found = journeys_.find(key_of(head));
  if (found != journeys_.end())
    slice(terminals_.at(head.source), found->second.created, cycle, name_of(head),
          fmt::format(R"("what":"source queue","wait":{})", cycle - found->second.created));
  next_.injected(cycle, head);
}

void packet_trace::delivered(std::uint64_t cycle, unsigned terminal, const flit& f) {
  journey& j = journeys_[key_of(f)];
  if (f.head()) j.arrived = cycle;
  if (f.tail()) {
    slice(terminals_.at(terminal), j.arrived, cycle + 1, name_of(f),
          fmt::format(R"("what":"arrival","latency":{})", cycle - j.created));
    journeys_.erase(key_of(f));
  }
  next_.delivered(cycle, terminal, f);
}

void packet_trace::combined(std::uint64_t cycle, const flit& survivor, const flit& merged) {
  next_.combined(cycle, survivor, merged);
}

void packet_trace::split(std::uint64_t cycle, const flit& reply, const flit& branch) {
  next_.split(cycle, reply, branch);
}

/// A flit that has been shown since `shown` crosses a link.
void packet_trace::crosses(link_log& log, std::uint64_t cycle, std::uint64_t shown, const flit& f) {
  const packet_key key = key_of(f);
  const link_place& place = log.link->place();
  if (f.head()) {
    log.under_way[key] = cycle;
    if (const auto found = journeys_.find(key); found != journeys_.end()) {
      if (place.from_switch >= 0) leaves_switch(log, cycle, shown, f, found->second);
      found->second.switch_ = place.to_switch;
      found->second.input = place.to_port;
      found->second.entered = cycle;
    }
  }
  if (!f.tail()) return;
  const auto head = log.under_way.find(key);
  if (head == log.under_way.end()) return;
  slice(log.track, head->second, cycle + 1, name_of(f), fmt::format(R"("flits":{})", f.length));
  constexpr std::size_t remembered = 32;
  log.last.push_back({head->second, cycle, name_of(f)});
  if (log.last.size() > remembered) log.last.pop_front();
  log.under_way.erase(head);
}

/// Its hop, from link to link; who crossed its output meanwhile has held it up.
void packet_trace::leaves_switch(link_log& log, std::uint64_t cycle, std::uint64_t shown, const flit& head,
                                 journey& j) {
  const link_place& place = log.link->place();
  if (j.switch_ != place.from_switch) return;
  nlohmann::json blocked = nlohmann::json::array();
  for (const crossing& c : log.last)
    if (c.until > j.entered && c.from < cycle) blocked.push_back(c.name);
  const std::size_t number = switches_.size() > switches_a_network_
                                 ? place.network * switches_a_network_ + static_cast<std::size_t>(j.switch_)
                                 : static_cast<std::size_t>(j.switch_);
  slice(switches_[number % switches_.size()], j.entered, cycle, name_of(head),
        fmt::format(R"("input":{},"output":{},"wait":{},"behind":{},"not_ready":{})", j.input,
                    place.from_port, cycle - j.entered - 1, blocked.dump(), cycle - shown));
}

/// In the first row of the track that is free.
void packet_trace::slice(unsigned on, std::uint64_t from, std::uint64_t until, const std::string& name,
                         const std::string& arguments) {
  last_ = std::max(last_, until);
  if (cut_at_ || until <= config_.from || (config_.until && from >= config_.until)) return;
  auto& rows = tracks_[on].rows;
  auto row = std::find_if(rows.begin(), rows.end(), [&](std::uint64_t taken) { return taken <= from; });
  if (row == rows.end()) row = rows.insert(rows.end(), 0);
  *row = std::max(until, from + 1);
  const std::uint64_t length = std::max<std::uint64_t>(until - from, 1);
  write(fmt::format(
      R"({{"ph":"X","pid":{},"tid":{},"ts":{:.6f},"dur":{:.6f},"name":"{}","args":{{"cycle":{},{}}}}})", on,
      row - rows.begin(), static_cast<double>(from) * cycle_us_, static_cast<double>(length) * cycle_us_,
      name, from, arguments));
  if (config_.limit && bytes_ >= config_.limit) cut_at_ = last_;
}

void packet_trace::write(const std::string& event) {
  file_->write(bytes_ ? ",\n" + event : event);
  bytes_ += event.size() + 2;
}

void packet_trace::detach() { tear_down(watchers_); }

void packet_trace::finish() {
  file_->write("\n]}\n");
  file_->commit();
}

}  // namespace spillway
