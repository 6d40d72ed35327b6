#include <algorithm>
#include <spillway/hw/feedback/module_watch.hpp>

namespace spillway {

/// Ends the cycles before `cycle`: the first of them may have seen events, the others have not.
void module_watch::account(module_state& m, std::uint64_t cycle) {
  if (cycle <= m.since) return;
  const std::uint64_t idle = cycle - m.since - m.took;
  m.idle += idle;
  if (m.held) m.idle_while_held += idle;
  m.peak_under_way = std::max(m.peak_under_way, m.under_way);
  m.since = cycle;
  m.took = false;
}

void module_watch::created(std::uint64_t cycle, const flit& head) {
  if (head.network == 0) {
    module_state& m = modules_[head.destination];
    account(m, now_ = cycle);
    ++m.held;
    ++m.created;
  }
  next_.created(cycle, head);
}

void module_watch::injected(std::uint64_t cycle, const flit& head) {
  if (head.network == 0) {
    module_state& m = modules_[head.destination];
    account(m, now_ = cycle);
    --m.held;
    ++m.under_way;
  }
  next_.injected(cycle, head);
}

void module_watch::delivered(std::uint64_t cycle, unsigned terminal, const flit& f) {
  if (f.network == 0) {
    module_state& m = modules_[terminal];
    account(m, now_ = cycle);
    m.took = true;
    m.under_way -= f.tail();
  }
  next_.delivered(cycle, terminal, f);
}

void module_watch::combined(std::uint64_t cycle, const flit& survivor, const flit& merged) {
  module_state& m = modules_[merged.destination];
  account(m, now_ = cycle);
  --m.under_way;
  next_.combined(cycle, survivor, merged);
}

void module_watch::monitored(std::uint64_t cycle, unsigned module, unsigned length, bool hot) {
  module_state& m = modules_[module];
  if (length == m.length && hot == m.hot) return;
  account(m, now_ = cycle);
  m.length = length;
  if (hot != m.hot) {
    m.hot = hot;
    if (hot)
      m.hot_since = cycle;
    else
      end_episode(m, cycle);
  }
  m.peak_length = std::max(m.peak_length, length);
}

void module_watch::write_off(std::uint64_t cycle) {
  now_ = cycle;
  for (module_state& m : modules_) {
    account(m, cycle);
    m.held = 0;
    m.under_way = m.peak_under_way = 0;
    m.length = m.peak_length = 0;
    m.hot = m.released = false;
  }
}

void module_watch::end_episode(module_state& m, std::uint64_t cycle) {
  if (m.released) {  // the first time that a module is hot follows no release
    ++m.releases;
    m.hot_cycles += cycle - m.hot_since;
    m.sum_under_way += static_cast<double>(m.peak_under_way);
    m.sum_length += m.peak_length;
    m.most_under_way = std::max(m.most_under_way, m.peak_under_way);
    m.most_length = std::max(m.most_length, m.peak_length);
  }
  m.released = true;
  m.peak_under_way = 0;
  m.peak_length = 0;
}

void module_watch::count(counters& all) const {
  const auto add = [&](const std::string& of, const module_state& m) {
    all["undershoot." + of + "idle_cycles"] += static_cast<double>(m.idle);
    all["undershoot." + of + "idle_while_held"] += static_cast<double>(m.idle_while_held);
  };
  std::vector<module_state> modules = modules_;
  for (module_state& m : modules) {
    account(m, now_);
    add("", m);
  }
  const auto busiest = std::max_element(modules.begin(), modules.end(),
                                        [](const auto& a, const auto& b) { return a.created < b.created; });
  if (busiest == modules.end()) return;
  const module_state& hot = *busiest;
  all["busiest.module"] = static_cast<double>(busiest - modules.begin());
  add("busiest_", hot);
  all["overshoot.busiest_releases"] = static_cast<double>(hot.releases);
  if (!hot.releases) return;
  const auto releases = static_cast<double>(hot.releases);
  all["overshoot.busiest_queue_peak_mean"] = hot.sum_length / releases;
  all["overshoot.busiest_queue_peak_max"] = hot.most_length;
  all["overshoot.busiest_network_peak_mean"] = hot.sum_under_way / releases;
  all["overshoot.busiest_network_peak_max"] = static_cast<double>(hot.most_under_way);
  all["overshoot.busiest_hot_cycles_mean"] = static_cast<double>(hot.hot_cycles) / releases;
}

}  // namespace spillway
