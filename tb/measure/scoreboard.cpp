#include <spillway/tb/measure/scoreboard.hpp>
#include <sstream>

namespace spillway {

scoreboard::scoreboard(unsigned terminals, bool ordered)
    : ordered_(ordered), sources_(terminals), last_(terminals) {}

void scoreboard::fault(std::uint64_t& counter, std::uint64_t cycle, const char* what, unsigned terminal,
                       const flit& f) {
  constexpr std::size_t shown = 20;
  ++counter;
  if (faults_.size() >= shown) return;
  std::ostringstream text;
  text << "cycle " << cycle << ", terminal " << terminal << ": " << what << ": " << f;
  faults_.push_back(text.str());
}

void scoreboard::created(std::uint64_t cycle, const flit& head) {
  const std::size_t numbering = numbering_of(head);
  if (numbering >= sources_.size()) sources_.resize((std::size_t{head.network} + 1) * last_.size());
  history& from = sources_[numbering];
  if (from.records.empty()) from.first = head.packet;
  from.records.push_back({cycle, 0, head.destination, head.length, 0});
  ++counts_.created;
  outstanding_flits_ += head.length;
  if (on_creation) on_creation(cycle, head.source, head.destination);
}

void scoreboard::injected(std::uint64_t cycle, const flit& head) {
  history& from = sources_[numbering_of(head)];
  from.records[head.packet - from.first].injected = cycle;
  ++counts_.injected;
  ++in_flight_;
  if (on_injection) on_injection(cycle, head);
}

void scoreboard::delivered(std::uint64_t cycle, unsigned terminal, const flit& f) {
  if (f.source >= last_.size() || numbering_of(f) >= sources_.size() || f.payload != check_value(f)) {
    fault(counts_.corrupted, cycle, "corrupted flit", terminal, f);
    return;
  }
  history& from = sources_[numbering_of(f)];
  const std::uint32_t at = f.packet - from.first;
  if (at >= from.records.size() || from.records[at].arrived == from.records[at].length) {
    fault(counts_.duplicated, cycle, "flit of a packet that has arrived already, or was never made", terminal,
          f);
    return;
  }
  record& r = from.records[at];
  if (r.destination != terminal) fault(counts_.misrouted, cycle, "flit for another terminal", terminal, f);
  if (f.index != r.arrived)
    fault(counts_.misordered, cycle, "flit out of its place in the packet", terminal, f);
  ++r.arrived;
  ++counts_.flits;
  --outstanding_flits_;
  if (r.arrived != r.length) return;
  check_order(cycle, terminal, f);
  ++counts_.delivered;
  --in_flight_;
  if (on_delivery)
    on_delivery({cycle, r.created, r.injected, f.source, terminal, f.packet, r.length, f.kind, f.flags});
  while (!from.records.empty() && from.records.front().arrived == from.records.front().length) {
    from.records.pop_front();
    ++from.first;
  }
}

void scoreboard::check_order(std::uint64_t cycle, unsigned terminal, const flit& f) {
  if (!ordered_) return;
  const auto [entry, first] = last_[terminal].try_emplace(numbering_of(f), f.packet);
  if (first) return;
  if (entry->second >= f.packet)
    fault(counts_.misordered, cycle, "packet overtaken by a later one", terminal, f);
  entry->second = std::max(entry->second, f.packet);
}

void scoreboard::write_off() {
  for (history& from : sources_) {
    for (const record& r : from.records) counts_.reset_dropped += r.arrived != r.length;
    from.first += static_cast<std::uint32_t>(from.records.size());
    from.records.clear();
  }
  counts_.reset_dropped_flits += outstanding_flits_;
  in_flight_ = 0;
  outstanding_flits_ = 0;
}

}  // namespace spillway
