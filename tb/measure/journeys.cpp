#include <spillway/tb/measure/journeys.hpp>
#include <utility>

namespace spillway {

journeys::journeys(std::size_t switches, std::vector<journey_link> links, bool stays, handler to)
    : switches_(static_cast<int>(switches)), links_(std::move(links)), stays_(stays), to_(std::move(to)) {}

/// Packets are numbered by their source, replies by the terminal that they are for.
std::uint64_t journeys::key_of(flit_kind kind, std::uint32_t source, std::uint32_t destination,
                               std::uint32_t packet, unsigned network) {
  const bool reply = kind == flit_kind::reply;
  return std::uint64_t{packet} << 32 | std::uint64_t{network & 3} << 29 | std::uint64_t{reply} << 28 |
         (reply ? destination : source);
}

journeys::followed& journeys::place_of(std::uint64_t key) {
  const auto [found, first] = by_packet_.try_emplace(key, 0);
  if (!first) return places_[found->second];
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(places_.size()));
    places_.emplace_back();
  }
  found->second = free_.back();
  free_.pop_back();
  followed& f = places_[found->second];
  f.at = terminal(0);
  f.lost = false;
  return f;
}

void journeys::forget(std::uint64_t key) {
  const auto found = by_packet_.find(key);
  if (found == by_packet_.end()) return;
  free_.push_back(found->second);
  by_packet_.erase(found);
}

void journeys::crosses(std::uint64_t cycle, std::uint32_t link, const flit& head) {
  if (head.kind == flit_kind::acknowledge) return;  // it is no packet of the traffic
  proceed(cycle);
  const std::uint64_t key = key_of(head.kind, head.source, head.destination, head.packet, head.network);
  // In the cycle in which one copy arrives another may enter, and kernels tell of these in different orders.
  if (links_[link].from < 0 && links_[link].to >= 0)
    entries_.push_back({key, link});
  else
    pass(place_of(key), cycle, links_[link]);
}

void journeys::pass(followed& f, std::uint64_t cycle, const journey_link& link) const {
  if (link.from < 0) {
    f.lost = f.lost || f.at >= 0;  // a copy of it is in the network
    f.entered = cycle;
    f.way.hops = 0;
    f.way.stays.clear();
  } else if (f.at != link.from) {
    f.lost = true;
  } else {
    f.way.hops += link.from < switches_;
    if (stays_) f.way.stays.push_back({link.from, cycle - f.since});
  }
  f.at = link.to;
  f.since = cycle;
}

void journeys::delivered(const delivery& d) {
  proceed(d.cycle);
  delivered_.push_back(d);
}

void journeys::tell(const delivery& d) {
  const std::uint64_t key = key_of(d.kind, d.source, d.destination, d.packet, d.network);
  const auto found = by_packet_.find(key);
  if (found == by_packet_.end()) return to_(d, nullptr);
  followed& f = places_[found->second];
  if (f.lost || f.at != terminal(d.destination)) {
    to_(d, nullptr);
  } else {
    f.way.source = d.injected - d.created;
    f.way.interface = f.entered - d.injected;
    f.way.arrival = d.cycle - f.since;
    to_(d, &f.way);
  }
  forget(key);
}

void journeys::settle() {
  for (const delivery& d : delivered_) tell(d);
  delivered_.clear();
  for (const entry& e : entries_) pass(place_of(e.key), cycle_, links_[e.link]);
  entries_.clear();
}

void journeys::write_off() {
  settle();
  by_packet_.clear();
  places_.clear();
  free_.clear();
}

latency_breakdown::latency_breakdown(std::vector<unsigned> row_of_switch, std::size_t rows)
    : row_of_switch_(std::move(row_of_switch)), rows_(rows), switches_(row_of_switch_.size()) {}

void latency_breakdown::add(const journey* way) {
  if (!way) {
    ++not_followed_;
    return;
  }
  ++packets_;
  source_ += way->source;
  interface_ += way->interface;
  arrival_ += way->arrival;
  for (const journey::stay& s : way->stays) {
    const auto node = static_cast<std::size_t>(s.node);
    if (node >= switches_.size()) {
      links_ += s.cycles;
      continue;
    }
    switches_[node].add(s.cycles);
    rows_[row_of_switch_[node]] += s.cycles;
  }
}

}  // namespace spillway
