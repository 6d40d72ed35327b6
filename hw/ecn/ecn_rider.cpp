#include <spillway/hw/ecn/ecn_marks.hpp>
#include <spillway/hw/ecn/ecn_rider.hpp>
#include <spillway/hw/switching/next_output.hpp>

namespace spillway {

ecn_rider::ecn_rider(const sc_core::sc_module_name& name, unsigned terminals,
                     std::shared_ptr<const routing> routes, link_end next)
    : clocked(name), routes_(std::move(routes)), next_(next), owed_(terminals) {
  reflected.lanes().declare(next.lanes);
}

void ecn_rider::reset() {
  owed_.assign(owed_.size(), false);
  out_.clear();
  in_.clear();
  for (packet_in* const i : {&notifications, &acks, &returned}) i->ready.write(0);
  for (packet_out* const o : {&reflected, &acks_in, &notices}) o->valid.write(false);
}

namespace {

/// Shows the front of the queue, and room for one more; true: there was none before.
bool show(const std::deque<flit>& queue, std::size_t places, packet_in& from, packet_out& to) {
  const lane_mask room = queue.size() < places ? 1 : 0;
  const bool opens = room > from.ready.read();
  from.ready.write(room);
  to.valid.write(!queue.empty());
  if (!queue.empty()) to.data.write(queue.front());
  return opens;
}

}  // namespace

void ecn_rider::tick() {
  bool again = note_owed();
  again |= carry_out();
  again |= carry_in();
  if (again) wake_at(cycle() + 1);
}

bool ecn_rider::note_owed() {
  const bool comes = notifications.crosses(), opens = notifications.ready.read() == 0;
  if (comes) {
    const std::uint32_t to = notifications.data.read().destination;
    if (to < owed_.size()) owed_[to] = true;
  }
  notifications.ready.write(1);
  return comes || opens;
}

bool ecn_rider::carry_out() {
  const bool leaves = reflected.crosses(), arrives = acks.crosses();
  if (leaves) out_.pop_front();
  if (arrives) out_.push_back(marked(acks.data.read()));
  return show(out_, places, acks, reflected) || leaves || arrives;
}

/// With its lane, and the mark that its head may have to bear.
flit ecn_rider::marked(flit ack) {
  if (ack.head()) {
    lane_ = next_.lanes > 1 ? lane_ahead(*routes_, next_, ack) : std::uint8_t{0};
    if (ack.destination < owed_.size() && owed_[ack.destination]) {
      ack.marks |= ecn::backward;
      owed_[ack.destination] = false;
      ++ridden_;
    }
  }
  ack.lane = lane_;
  return ack;
}

bool ecn_rider::carry_in() {
  const bool leaves = acks_in.crosses(), arrives = returned.crosses();
  if (leaves) in_.pop_front();
  if (arrives) in_.push_back(returned.data.read());
  const bool notified = arrives && in_.back().head() && (in_.back().marks & ecn::backward);
  notices.valid.write(notified);
  if (notified)
    notices.data.write(ecn::notification(in_.back().source, in_.back().destination, in_.back().network));
  return show(in_, places, returned, acks_in) || leaves || arrives;
}

void ecn_rider::count(counters& all) const {
  all["ecn.marks_on_acknowledgements"] += static_cast<double>(ridden_);
}

}  // namespace spillway
