#include <algorithm>
#include <spillway/tb/measure/scoreboard.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

namespace spillway {

scoreboard::scoreboard(unsigned terminals, overtaking order)
    : terminals_(terminals), order_(order), sources_(terminals), last_replies_(terminals) {}

void scoreboard::fault(std::uint64_t& counter, std::uint64_t cycle, const char* what, unsigned terminal,
                       const flit& f) {
  constexpr std::size_t shown = 20;
  ++counter;
  if (faults_.size() >= shown) return;
  std::ostringstream text;
  text << "cycle " << cycle << ", terminal " << terminal << ": " << what << ": " << f;
  faults_.push_back(text.str());
}

scoreboard::record* scoreboard::history::find(std::uint32_t packet) {
  const std::uint32_t at = packet - first;
  return at < records.size() && records[at].length ? &records[at] : nullptr;
}

/// Packets that bear the numbers of others may come into being in any order.
scoreboard::record& scoreboard::history::make(std::uint32_t packet) {
  if (records.empty()) first = packet;
  for (; static_cast<std::int32_t>(packet - first) < 0; --first) records.push_front({});
  const std::uint32_t at = packet - first;
  if (at >= records.size()) records.resize(std::size_t{at} + 1);
  return records[at];
}

void scoreboard::history::forget_arrived() {
  for (; !records.empty() && records.front().complete(); ++first) records.pop_front();
}

scoreboard::history& scoreboard::history_of(const flit& f) {
  const std::size_t numbering = numbering_of(f);
  if (numbering >= sources_.size()) sources_.resize(numbering + 1);
  return sources_[numbering];
}

void scoreboard::add(const flit& head, std::uint64_t created, std::uint64_t injected) {
  history_of(head).make(head.packet) = {created, injected, head.destination, head.length, 0};
  ++counts_.created;
  outstanding_flits_ += head.length;
  if (on_creation) on_creation(created, head);
}

void scoreboard::created(std::uint64_t cycle, const flit& head) {
  if (head.destination >= terminals_)
    throw std::out_of_range("terminal " + std::to_string(head.source) + " is to send a packet to terminal " +
                            std::to_string(head.destination) + " of " + std::to_string(terminals_) +
                            ", which count from 0");
  add(head, cycle, 0);
}

void scoreboard::injected(std::uint64_t cycle, const flit& head) {
  history_of(head).find(head.packet)->injected = cycle;
  ++counts_.injected;
  ++in_flight_;
  if (on_injection) on_injection(cycle, head);
}

void scoreboard::held_back(std::uint64_t, const flit& head) {
  if (on_holding) on_holding(head, true);
}

void scoreboard::let_go(std::uint64_t, const flit& head) {
  if (on_holding) on_holding(head, false);
}

void scoreboard::combined(std::uint64_t, const flit& survivor, const flit& merged) {
  merged_[{numbering_of(survivor), survivor.packet}].push_back(merged);
}

void scoreboard::split(std::uint64_t, const flit& reply, const flit& branch) {
  const record from = *history_of(reply).find(reply.packet);
  add(branch, from.created, from.injected);
  ++counts_.injected;
  ++in_flight_;
  if (on_injection) on_injection(from.injected, branch);
}

void scoreboard::delivered(std::uint64_t cycle, unsigned terminal, const flit& f) {
  if (f.source >= terminals_ || f.destination >= terminals_ || numbering_of(f) >= sources_.size() ||
      f.payload != check_value(f)) {
    fault(counts_.corrupted, cycle, "corrupted flit", terminal, f);
    return;
  }
  history& from = history_of(f);
  record* const r = from.find(f.packet);
  if (!r || r->arrived == r->length) {
    fault(counts_.duplicated, cycle, "flit of a packet that has arrived already, or was never made", terminal,
          f);
    return;
  }
  if (r->destination != terminal) fault(counts_.misrouted, cycle, "flit for another terminal", terminal, f);
  if (f.index != r->arrived)
    fault(counts_.misordered, cycle, "flit out of its place in the packet", terminal, f);
  ++r->arrived;
  ++counts_.flits;
  --outstanding_flits_;
  if (r->arrived != r->length) return;
  arrive(cycle, terminal, f, from, *r);
  if (!merged_.empty()) take_along(cycle, terminal, f);
}

void scoreboard::arrive(std::uint64_t cycle, unsigned terminal, const flit& f, history& from, record& r) {
  r.destination = terminal;
  if (order_ != overtaking::ignored) check_order(cycle, terminal, f, from);
  ++counts_.delivered;
  --in_flight_;
  if (on_delivery)
    on_delivery({cycle, r.created, r.injected, f.source, terminal, f.packet, r.length, f.kind,
                 static_cast<std::uint8_t>(f.traffic_class), static_cast<std::uint8_t>(f.network)});
  from.forget_arrived();
}

/// What was made part of a packet arrives with it, and what was made part of that right after it: in this
/// order the packets of a source stay in theirs.
void scoreboard::take_along(std::uint64_t cycle, unsigned terminal, const flit& survivor) {
  std::deque<flit> all;
  const auto open = [&](const flit& f) {
    const auto found = merged_.find({numbering_of(f), f.packet});
    if (found == merged_.end()) return;
    all.insert(all.begin(), found->second.begin(), found->second.end());
    merged_.erase(found);
  };
  for (open(survivor); !all.empty();) {
    const flit f = all.front();
    all.pop_front();
    history& from = history_of(f);
    record* const r = from.find(f.packet);
    if (!r || r->arrived == r->length) {
      fault(counts_.duplicated, cycle, "combined packet that has arrived already", terminal, f);
      continue;
    }
    r->arrived = r->length;
    outstanding_flits_ -= r->length;
    arrive(cycle, terminal, f, from, *r);
    open(f);
  }
}

void scoreboard::check_order(std::uint64_t cycle, unsigned terminal, const flit& f, history& from) {
  const bool reply = f.kind == flit_kind::reply;
  if (!(reply ? is_overtaken_reply(terminal, f) : is_overtaken(terminal, f, from))) return;
  ++counts_.overtaken;
  if (order_ == overtaking::fault)
    fault(counts_.misordered, cycle, "packet overtaken by a later one", terminal, f);
}

/// Whether a later packet of the source has arrived at the terminal before. Records are forgotten from the
/// first on, so all that are later than this one are still there.
bool scoreboard::is_overtaken(unsigned terminal, const flit& f, history& from) {
  if (static_cast<std::int32_t>(f.packet - from.newest) >= 0) {
    from.newest = f.packet + 1;
    return false;
  }
  const auto later = from.records.begin() + (f.packet - from.first) + 1;
  const auto end = from.records.begin() + (from.newest - from.first);
  return std::any_of(later, end, [&](const record& r) { return r.complete() && r.destination == terminal; });
}

/// Replies have the numbers of what they answer, at any terminals, and a later one may have been forgotten
/// before this one was made.
bool scoreboard::is_overtaken_reply(unsigned terminal, const flit& f) {
  const auto [entry, first] =
      last_replies_[terminal].try_emplace(f.network * terminals_ + f.source, f.packet);
  if (first) return false;
  const bool overtaken = static_cast<std::int32_t>(f.packet - entry->second) <= 0;  // numbers begin again
  if (!overtaken) entry->second = f.packet;
  return overtaken;
}

void scoreboard::write_off() {
  for (history& from : sources_) {
    for (const record& r : from.records) counts_.reset_dropped += r.arrived != r.length;
    from.first += static_cast<std::uint32_t>(from.records.size());
    from.records.clear();
  }
  counts_.reset_dropped_flits += outstanding_flits_;
  merged_.clear();
  in_flight_ = 0;
  outstanding_flits_ = 0;
}

}  // namespace spillway
