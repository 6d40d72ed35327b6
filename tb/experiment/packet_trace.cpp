#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <spillway/hw/kernel/teardown.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>
#include <spillway/tb/experiment/packet_trace.hpp>

namespace spillway {

namespace {

std::string name_of(std::uint32_t source, std::uint32_t destination, std::uint32_t packet) {
  return fmt::format("{}>{} #{}", source, destination, packet);
}
std::string name_of(const flit& f) { return name_of(f.source, f.destination, f.packet); }

}  // namespace

packet_trace::packet_trace(const packet_trace_config& config, endpoint_observer& next)
    : trace_(config), next_(next) {}

packet_trace::~packet_trace() = default;

packet_trace::packet_key packet_trace::key_of(const flit& f) {
  return {f.source, f.destination, f.packet, f.network, static_cast<std::uint8_t>(f.kind)};
}

void packet_trace::watch(platform& network, const catalogue& all) {
  trace_.set_cycle(network.period() / sc_core::sc_time(1, sc_core::SC_US));
  for (unsigned t = 0; t < network.terminals().size(); ++t)
    terminals_.push_back(trace_.new_track(fmt::format("terminal {}", t)));
  for (const auto& s : network.switches()) switches_.push_back(trace_.new_track(s->basename()));
  switches_a_network_ = std::max<std::size_t>(1, switches_.size() / std::max(1u, network.networks()));
  const std::size_t within = std::string(network.name()).size() + 1;
  const top_level_scope scope(network.domain());
  for (network_link* const l : network.links()) {
    const auto number = static_cast<unsigned>(logs_.size());
    const std::string name = fmt::format("trace_{}", number);
    const link_entry* const kind = all.of<link_entry>().find(l->kind());
    std::unique_ptr<clocked> watcher;
    if (kind) watcher = kind->make_watch(*l, name, number, *this);
    if (auto* const packets = dynamic_cast<packet_link*>(l); packets && !watcher)
      watcher = watch_link<packet_pins>(*packets, name, number, *this);
    if (!watcher) continue;
    logs_.push_back({l, trace_.new_track(l->path().substr(within)), {}, {}, {}, {}});
    network.attach(*watcher);
    watchers_.push_back(std::move(watcher));
  }
}

void packet_trace::created(std::uint64_t cycle, const flit& head) {
  journeys_[key_of(head)].created = cycle;
  next_.created(cycle, head);
}

void packet_trace::injected(std::uint64_t cycle, const flit& head) {
  const auto found = journeys_.find(key_of(head));
  if (found != journeys_.end())
    trace_.slice(terminals_.at(head.source), found->second.created, cycle, name_of(head),
                 fmt::format(R"("what":"source queue","wait":{})", cycle - found->second.created));
  next_.injected(cycle, head);
}

void packet_trace::delivered(std::uint64_t cycle, unsigned terminal, const flit& f) {
  journey& j = journeys_[key_of(f)];
  if (f.head()) j.arrived = cycle;
  if (f.tail()) {
    trace_.slice(terminals_.at(terminal), j.arrived, cycle + 1, name_of(f),
                 fmt::format(R"("what":"arrival","latency":{})", cycle - j.created));
    journeys_.erase(key_of(f));
  }
  next_.delivered(cycle, terminal, f);
}

/// It is in no queue any more.
void packet_trace::combined(std::uint64_t cycle, const flit& survivor, const flit& merged) {
  const journey& j = journeys_[key_of(merged)];
  if (j.link) j.link->behind.erase(key_of(merged));
  next_.combined(cycle, survivor, merged);
}

/// Its way begins in the switch, with the link behind it; its time, with the reply's.
void packet_trace::split(std::uint64_t cycle, const flit& reply, const flit& branch) {
  const std::uint64_t created = journeys_[key_of(reply)].created;
  journeys_[key_of(branch)].created = created;
  next_.split(cycle, reply, branch);
}

void packet_trace::tell(const packet_key& packet, const chrome_trace::place& slice) const {
  if (told_) told_(packet, slice);
}

void packet_trace::crosses(unsigned link, std::uint64_t cycle, std::uint64_t shown, const flit& f) {
  link_log& log = logs_[link];
  if (f.head()) {
    log.under_way[key_of(f)] = cycle;
    head_crosses(log, cycle, shown, f);
  }
  if (!f.tail()) return;
  const auto head = log.under_way.find(key_of(f));
  if (head == log.under_way.end()) return;
  tell(head->first,
       trace_.slice(log.track, head->second, cycle + 1, name_of(f), fmt::format(R"("flits":{})", f.length)));
  constexpr std::size_t remembered = 32;
  log.last.push_back({head->second, cycle, name_of(f)});
  if (log.last.size() > remembered) log.last.pop_front();
  log.under_way.erase(head);
}

/// Over a link between two blocks of the platform; what lies within one, such as a spill link, is no way.
void packet_trace::head_crosses(link_log& log, std::uint64_t cycle, std::uint64_t shown, const flit& head) {
  const packet_key key = key_of(head);
  const link_place& place = log.link->place();
  if (place.from_switch < 0 && place.to_switch < 0) return;
  journey& j = journeys_[key];
  if (place.from_switch >= 0) leaves_switch(log, cycle, shown, head, j);
  j.switch_ = place.to_switch;
  j.input = place.to_port;
  j.lane = head.lane;
  j.link = &log;
  j.entered = cycle;
  if (place.to_switch >= 0) log.behind[key] = head.lane;
}

/// Who lies in the queue that it wants to enter.
void packet_trace::refused(unsigned link, std::uint64_t, const flit& f) {
  if (!f.head()) return;
  link_log& log = logs_[link];
  std::vector<std::string>& ahead = log.ahead[key_of(f)];
  for (const auto& [packet, lane] : log.behind)
    if (lane == f.lane)
      ahead.push_back(name_of(std::get<0>(packet), std::get<1>(packet), std::get<2>(packet)));
}

void packet_trace::begins(unsigned link, std::uint64_t cycle, const flit& head) {
  head_crosses(logs_[link], cycle, cycle, head);
}

void packet_trace::held(unsigned link, std::uint64_t from, std::uint64_t until, const flit& head) {
  tell(key_of(head), trace_.slice(logs_[link].track, from, until, name_of(head),
                                  fmt::format(R"("flits":{})", head.length)));
}

void packet_trace::says(unsigned link, std::uint64_t from, std::uint64_t until, const std::string& pin,
                        const std::string& value) {
  const std::string name = value == "1" ? pin : pin + ' ' + value;
  trace_.slice(logs_[link].track, from, until, name, fmt::format(R"("pin":"{}")", pin));
}

/// Its hop, from link to link; who crossed its output meanwhile has held it up.
void packet_trace::leaves_switch(link_log& log, std::uint64_t cycle, std::uint64_t shown, const flit& head,
                                 journey& j) {
  const link_place& place = log.link->place();
  const packet_key key = key_of(head);
  nlohmann::json ahead = nlohmann::json::array(), behind = nlohmann::json::array();
  if (const auto found = log.ahead.find(key); found != log.ahead.end()) {
    ahead = found->second;
    log.ahead.erase(found);
  }
  if (j.switch_ != place.from_switch) return;
  if (j.link) j.link->behind.erase(key);
  for (const crossing& c : log.last)
    if (c.until > j.entered && c.from < cycle) behind.push_back(c.name);
  const std::size_t number = switches_.size() > switches_a_network_
                                 ? place.network * switches_a_network_ + static_cast<std::size_t>(j.switch_)
                                 : static_cast<std::size_t>(j.switch_);
  tell(key,
       trace_.slice(
           switches_[number % switches_.size()], j.entered, cycle, name_of(head),
           fmt::format(R"("input":{},"lane":{},"output":{},"wait":{},"behind":{},"not_ready":{},"ahead":{})",
                       j.input, j.lane, place.from_port, cycle - j.entered - 1, behind.dump(), cycle - shown,
                       ahead.dump())));
}

void packet_trace::write_off() {
  journeys_.clear();
  for (link_log& log : logs_) {
    log.under_way.clear();
    log.last.clear();
    log.behind.clear();
    log.ahead.clear();
  }
}

void packet_trace::detach() { tear_down(watchers_); }

void packet_trace::finish() {
  detach();
  trace_.finish();
}

}  // namespace spillway
