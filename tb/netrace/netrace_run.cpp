#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <spillway/tb/netrace/netrace_run.hpp>

namespace spillway {

namespace {

constexpr unsigned read_at_once = 4096;  // packets
constexpr std::size_t most_told = 20;    // that wait

class node_supply final : public packet_supply {
public:
  node_supply(netrace_run& run, std::uint32_t terminal) : run_(run), terminal_(terminal) {}
  std::uint64_t due(std::uint64_t now, std::size_t) override { return run_.due(terminal_, now); }
  packet_order take(std::uint64_t now) override { return run_.take(terminal_, now); }
  void arrived(std::uint64_t now, const flit& f) override {
    if (f.tail() && f.kind != flit_kind::reply) run_.came(data_of(f), now);
  }
  bool depends_on_backlog() const override { return false; }
  bool exhausted() const override { return run_.exhausted(terminal_); }
  bool listens() const override { return true; }
  bool shares() const override { return true; }

private:
  netrace_run& run_;
  const std::uint32_t terminal_;
};

/// `netrace.packets` (read), `.local` (of these, within a terminal), `.done` (have come), `.late` (cycles
/// that they were sent after those of the trace, mean).
class netrace_measure final : public measurement {
public:
  explicit netrace_measure(const netrace_run& run) : run_(run) {}
  void count(counters& all) const override {
    all["netrace.packets"] = static_cast<double>(run_.read());
    all["netrace.local"] = static_cast<double>(run_.local());
    all["netrace.done"] = static_cast<double>(run_.done());
    if (run_.packets_sent())
      all["netrace.late"] = static_cast<double>(run_.late()) / static_cast<double>(run_.packets_sent());
  }
  std::vector<compared_number> compared() const override {
    return {{"netrace.late", "cycles behind the trace, mean"}};
  }

private:
  const netrace_run& run_;
};

}  // namespace

netrace_run::netrace_run(netrace_plan plan)
    : plan_(std::move(plan)), file_(plan_.file), ready_(plan_.terminals) {
  if (plan_.region) file_.skip_to(*plan_.region);
}

std::unique_ptr<packet_supply> netrace_run::supply(std::uint32_t terminal) {
  return std::make_unique<node_supply>(*this, terminal);
}

std::vector<std::unique_ptr<measurement>> netrace_run::measures() {
  std::vector<std::unique_ptr<measurement>> all;
  all.push_back(std::make_unique<netrace_measure>(*this));
  return all;
}

bool netrace_run::stuck() const {
  return ended_ && waiting_ &&
         std::all_of(ready_.begin(), ready_.end(), [](const auto& r) { return r.empty(); });
}

std::vector<std::string> netrace_run::waits() const {
  std::map<std::uint32_t, std::uint32_t> waiting;  // packet, and the first that it waits for
  for (const auto& [id, before] : open_)
    for (const std::uint32_t d : before.packet.dependents) {
      const auto known = waiting.emplace(d, id).first;
      known->second = std::min(known->second, id);
    }
  std::vector<std::string> all;
  for (const auto& [id, before] : waiting) {
    if (all.size() == most_told) break;
    all.push_back(fmt::format("node {} waits with packet {} for packet {} of node {}",
                              open_.at(id).packet.source, id, before, open_.at(before).packet.source));
  }
  return all;
}

/// Reads until what comes next is later than `now`.
void netrace_run::read_on(std::uint64_t now) {
  while (!ended_ && horizon_ <= now) {
    netrace_packet p;
    for (unsigned n = 0; n < read_at_once && !ended_; ++n) {
      if (!file_.next(p)) {
        ended_ = true;
        break;
      }
      ++read_;
      p.cycle -= std::min(p.cycle, plan_.from);
      horizon_ = p.cycle;
      if (plan_.dependencies)
        for (const std::uint32_t d : p.dependents) ++open_[d].missing;
      else
        p.dependents.clear();
      packet_state& known = open_[p.id];
      known.packet = std::move(p);
      known.read = true;
      if (known.missing == 0)
        release(known);
      else
        ++waiting_;
    }
  }
}

/// It waits for no other.
void netrace_run::release(const packet_state& p) {
  ready_[plan_.where[p.packet.source]].push({std::max(p.packet.cycle, p.from), p.packet.id});
}

void netrace_run::came(std::uint32_t id, std::uint64_t now) {
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  const std::vector<std::uint32_t> dependents = std::move(found->second.packet.dependents);
  open_.erase(found);
  ++done_;
  for (const std::uint32_t d : dependents) {
    packet_state& waiting = open_[d];
    waiting.from = std::max(waiting.from, now + plan_.latency);
    if (--waiting.missing || !waiting.read) continue;
    --waiting_;
    release(waiting);
  }
}

/// The first packet that is ready at the terminal is sent.
const netrace_run::packet_state& netrace_run::sent(std::uint32_t terminal, std::uint64_t now) {
  const packet_state& p = open_.at(ready_[terminal].top().second);
  ready_[terminal].pop();
  late_ += now - p.packet.cycle;
  ++packets_sent_;
  return p;
}

std::uint64_t netrace_run::due(std::uint32_t terminal, std::uint64_t now) {
  read_on(now);
  auto& ready = ready_[terminal];
  while (!ready.empty() && ready.top().first <= now) {
    const packet_state& first = open_.at(ready.top().second);
    if (plan_.where[first.packet.destination] != terminal) return now;
    ++local_;
    came(sent(terminal, now).packet.id, now);
  }
  const std::uint64_t next = ready.empty() ? packet_supply::never : ready.top().first;
  return ended_ ? next : std::min(next, horizon_);
}

packet_order netrace_run::take(std::uint32_t terminal, std::uint64_t now) {
  const netrace_packet& p = sent(terminal, now).packet;
  packet_order order;
  order.destination = plan_.where[p.destination];
  order.length = plan_.flits(p.bytes());
  order.data = p.id;
  return order;
}

}  // namespace spillway
