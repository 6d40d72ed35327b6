#include <fmt/format.h>

#include <spillway/tb/experiment/packet_ways.hpp>
#include <unordered_map>
#include <utility>

namespace spillway {

namespace {

/// From what to what each link of the networks leads. A long one is several, with nodes between them.
std::vector<journey_link> links_of(const platform& network) {
  std::vector<journey_link> links;
  auto between = static_cast<int>(network.switches().size());
  int at = between;
  for (const network_edge& e : network.edges()) {
    const int from = e.from_switch >= 0 ? e.from_switch
                                        : journeys::terminal(static_cast<std::uint32_t>(e.from_terminal)),
              to = e.to_switch >= 0 ? e.to_switch
                                    : journeys::terminal(static_cast<std::uint32_t>(e.to_terminal));
    if (e.first) at = from;
    const int next = e.last ? to : between++;
    links.push_back({at, next});
    at = next;
  }
  return links;
}

/// For the report.
table_record table_of(const breakdown_record& b, double latency) {
  constexpr std::size_t most_stages = 40;
  table_record t{"breakdown",
                 "Where the time of packets went, measured part",
                 {"Where", "Cycles a packet", "Share"},
                 {}};
  if (b.not_followed)
    t.caption +=
        fmt::format("; {} packets of {} could not be followed", b.not_followed, b.packets + b.not_followed);
  const auto row = [&](const std::string& name, double cycles) {
    t.rows.push_back({name, fmt::format("{:.2f}", cycles),
                      latency > 0 ? fmt::format("{:.1f} %", 100 * cycles / latency) : "–"});
  };
  row("waiting at the source", b.source);
  row("in the interface", b.interface);
  if (b.stages.size() <= most_stages)
    for (const auto& [name, cycles] : b.stages) row("switches, " + name, cycles);
  else
    row("switches", b.switches);
  row("within links", b.links);
  row("arrival, until its last flit", b.arrival);
  row("all", latency);
  return t;
}

}  // namespace

packet_ways::packet_ways(platform& network, const std::vector<std::unique_ptr<stepped>>& checkers,
                         std::vector<unsigned> row_of_switch, std::vector<std::string> rows, bool breakdown,
                         journeys::handler to)
    : rows_(std::move(rows)),
      journeys_(network.switches().size(), links_of(network), breakdown, std::move(to)),
      breakdown_(std::move(row_of_switch), rows_.size()) {
  std::unordered_map<std::string, link_counter*> by_path;
  for (const auto& checker : checkers)
    if (auto* const counter = dynamic_cast<link_counter*>(checker.get()))
      by_path.emplace(counter->counted_link(), counter);
  for (std::uint32_t i = 0; i < network.edges().size(); ++i)
    if (const auto found = by_path.find(network.edges()[i].link->path()); found != by_path.end())
      follows_ = found->second->tell_heads(*this, i) || follows_;
  // A domain keeps a log for good: only what stays has one.
  if (follows_)
    log_.emplace(
        network.domain(), [this](const crossing& c) { pass(c); }, network.tells_late());
}

void packet_ways::head_crosses(std::uint64_t cycle, std::uint32_t link, const flit& head) {
  if (edge_log<crossing>::keeps())
    log_->say({cycle, link, head});
  else
    pass({cycle, link, head});
}

void packet_ways::pass(const crossing& c) {
  journeys_.crosses(c.cycle, c.link, c.head);
  if (crossed_) crossed_(c.cycle, c.link, c.head);
}

void packet_ways::report(run_record& record) const {
  breakdown_record& b = record.breakdown;
  b.wanted = true;
  b.packets = breakdown_.packets();
  b.not_followed = breakdown_.not_followed();
  if (b.packets == 0) return;
  const auto mean = [&b](std::uint64_t cycles) {
    return static_cast<double>(cycles) / static_cast<double>(b.packets);
  };
  b.source = mean(breakdown_.source());
  b.interface = mean(breakdown_.interface());
  b.links = mean(breakdown_.links());
  b.arrival = mean(breakdown_.arrival());
  std::uint64_t all = 0;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    all += breakdown_.rows()[row];
    b.stages.emplace_back(rows_[row], mean(breakdown_.rows()[row]));
  }
  b.switches = mean(all);
  record.tables.push_back(table_of(b, b.source + b.interface + b.switches + b.links + b.arrival));
  for (std::size_t s = 0; s < record.switch_rows.size(); ++s) {
    const latency_breakdown::amount& a = breakdown_.switches()[s];
    record.switch_rows[s].packets = static_cast<double>(a.packets);
    if (a.packets == 0) continue;
    record.switch_rows[s].mean_delay = static_cast<double>(a.cycles) / static_cast<double>(a.packets);
    record.switch_rows[s].greatest_delay = static_cast<double>(a.most);
  }
}

}  // namespace spillway
