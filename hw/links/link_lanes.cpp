#include <spillway/hw/links/link_lanes.hpp>
#include <stdexcept>
#include <string>
#include <systemc>

namespace spillway {

namespace {

constexpr std::size_t sends = 0, takes = 1;

std::string lanes_text(unsigned lanes) {
  return lanes == 1 ? "lane 0 alone" : std::to_string(lanes) + " lanes";
}

}  // namespace

link_lanes::known& link_lanes::shared() const {
  if (!known_) known_ = std::make_unique<known>();
  known* last = known_.get();
  while (last->merged) last = last->merged;
  return *last;
}

void link_lanes::declare(unsigned lanes) {
  if (lanes < 1 || lanes > 64)
    throw std::invalid_argument("a packet link has 1 to 64 lanes, found " + std::to_string(lanes));
  if (lanes == 1) return;  // as without a word
  shared().lanes[role_ == role::sender ? sends : takes] = static_cast<std::uint8_t>(lanes);
}

void link_lanes::same_as(link_lanes& other) {
  known &here = shared(), &there = other.shared();
  here.through = true;
  if (&here != &there) here.merged = &there;
  there.through = true;
}

void link_lanes::merge(known& from, known& into) const {
  from.merged = &into;
  into.through |= from.through;
  for (const std::size_t s : {sends, takes}) {
    if (from.lanes[s] <= into.lanes[s]) continue;  // one lane may be what nobody has said
    into.lanes[s] = from.lanes[s];
    into.said_by[s] = from.said_by[s];
  }
}

void link_lanes::join(link_lanes& other, const char* name) {
  known* const mine = &shared();
  known& whole = other.shared();
  const std::size_t s = role_ == role::receiver ? takes : sends;
  if (mine != &whole) {
    const bool to_wires = other.role_ == role::wires;
    if (to_wires && !mine->lanes[s] && !mine->through) mine->lanes[s] = 1;
    if (mine->lanes[s] && !mine->said_by[s]) mine->said_by[s] = name;
  }
  if (mine != &whole) merge(*mine, whole);
  if (!whole.lanes[sends] || !whole.lanes[takes] || whole.lanes[sends] == whole.lanes[takes]) return;
  const auto pin = [&](std::size_t of) { return std::string(whole.said_by[of] ? whole.said_by[of] : name); };
  SC_REPORT_ERROR("spillway/lanes",
                  (pin(sends) + " sends in " + lanes_text(whole.lanes[sends]) + ", " + pin(takes) +
                   " at the other end of the link takes flits in " + lanes_text(whole.lanes[takes]) +
                   ": a lane is a queue of the receiver, which the sender must choose "
                   "(link_end::lanes and a routing; an end of your own says `lanes().declare(n)` "
                   "before it is bound)")
                      .c_str());
}

void link_lanes::look_at(link_lanes& other) {
  known &mine = shared(), &whole = other.shared();
  if (&mine != &whole) merge(mine, whole);
}

unsigned link_lanes::count() const {
  if (!known_) return 64;
  const known& whole = shared();
  const unsigned lanes = whole.lanes[takes] ? whole.lanes[takes] : whole.lanes[sends];
  return lanes ? lanes : 64;
}

}  // namespace spillway
