#include <algorithm>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/switching/next_output.hpp>

namespace spillway {

std::uint64_t check_value(const flit& f) {
  const std::uint64_t data = data_of(f);
  const std::uint64_t word =
      scatter((std::uint64_t{f.source} << 32 | f.destination) ^ (std::uint64_t{f.packet} << 16) ^ f.index);
  return scatter(word ^ data) << 32 | data;
}

std::uint64_t packet_maker::due(std::uint64_t now, std::size_t backlog) {
  if (now >= next_ || (depends_on_backlog_ && backlog != backlog_)) {
    next_ = supply_->due(now, backlog);
    depends_on_backlog_ = supply_->depends_on_backlog();
    backlog_ = backlog;
  }
  return next_;
}

std::uint32_t& packet_maker::packets(unsigned network) {
  if (network == 0) return packets_;
  if (network > packets_elsewhere_.size()) packets_elsewhere_.resize(network);
  return packets_elsewhere_[network - 1];
}

namespace {

/// What a flit has bits for.
void check_order(unsigned terminal, const packet_order& order) {
  constexpr unsigned classes = 16;
  if (order.length >= 1 && order.destination < flit::most_terminals && order.traffic_class < classes) return;
  const std::string what = "terminal " + std::to_string(terminal) + " is to send a packet of " +
                           std::to_string(order.length) + " flits and class " +
                           std::to_string(order.traffic_class) + " to terminal " +
                           std::to_string(order.destination) +
                           ": expected 1 flit or more, a class 0 to 15 and a terminal below 2^28";
  SC_REPORT_ERROR("spillway/packet", what.c_str());
  sc_core::sc_abort();  // only if errors have been told not to throw
}

}  // namespace

packet_maker::outcome packet_maker::make_due(std::uint64_t now, std::size_t in_hand, std::size_t unseen) {
  outcome made{false, packet_supply::never};
  while (!limit_ || waiting_.size() + in_hand < limit_) {
    const std::size_t waiting = waiting_.size() + in_hand;
    made.next = due(now, waiting - std::min(unseen, waiting));
    if (made.next > now) break;
    const packet_order order = supply_->take(now);
    check_order(terminal_, order);
    flit head;
    head.source = terminal_;
    head.destination = order.destination;
    if (order.kind == flit_kind::reply) {
      head.packet = order.answers;
    } else {
      head.packet = packets(order.network)++;
    }
    head.length = order.length;
    head.kind = order.kind;
    head.network = order.network;
    head.traffic_class = order.traffic_class;
    head.interface_word = order.interface_word;
    head.payload = order.data;
    head.payload = check_value(head);
    waiting_.push_back(head);
    observer_.created(now, head);
    made.made = true;
  }
  return made;
}

std::uint64_t packet_maker::flits() const {
  std::uint64_t flits = 0;
  for (const flit& head : waiting_) flits += head.length;
  return flits;
}

source::source(const sc_core::sc_module_name& name, unsigned terminal, std::unique_ptr<packet_supply> supply,
               endpoint_observer& observer, std::shared_ptr<const routing> routes, link_end next,
               unsigned queue)
    : clocked(name),
      arrivals(supply->listens() ? 1 : 0, "arrivals"),
      maker_(terminal, std::move(supply), observer, queue),
      terminal_(terminal),
      routes_(std::move(routes)),
      next_(next) {
  out.lanes().declare(next.lanes);
}

std::uint64_t source::backlog_flits() const {
  return maker_.flits() + arriving() + (valid_ ? showing_.length - showing_.index : 0);
}

void source::reset() {
  lost_ += backlog_flits() - arriving();  // that one has arrived
  if (arriving()) listen();
  lost_ += maker_.supply().forget();
  waiting_.clear();
  valid_ = false;
  out.valid.write(false);
}

/// Tells the supply what has come to the terminal at the edge before.
void source::listen() { maker_.supply().arrived(cycle() - 1, arrivals[0].data.read()); }

void source::tick() {
  bool changed = arriving();
  if (changed) listen();
  if (valid_ && accepts(out.ready.read(), showing_)) {
    changed = true;
    if (showing_.head()) maker_.observer().injected(cycle(), showing_);
    if (showing_.tail()) {
      valid_ = false;
    } else {
      ++showing_.index;
      showing_.payload = check_value(showing_);
    }
  }
  changed |= create();
  if (!valid_ && choose(showing_)) {
    if (next_.lanes > 1) showing_.lane = lane_ahead(*routes_, next_, showing_);
    valid_ = true;
    changed = true;
  }
  if (!changed) return;
  out.valid.write(valid_);
  if (valid_) out.data.write(showing_);
  wake_at(cycle() + 1);
}

bool source::choose(flit& chosen) {
  if (waiting_.empty()) return false;
  chosen = waiting_.front();
  waiting_.pop_front();
  return true;
}

bool source::create() {
  const packet_maker::outcome made = maker_.make(cycle(), valid_, unseen_by_supply());
  const bool later = made.next != packet_supply::never && made.next > cycle() + 1;
  if (later && made.next != alarm_) wake_at(alarm_ = made.next);
  return made.made || made.next == cycle() + 1;
}

sink::sink(const sc_core::sc_module_name& name, unsigned terminal, const sink_config& config,
           endpoint_observer& observer, bool tells)
    : clocked(name),
      arrivals(tells ? 1 : 0, "arrivals"),
      terminal_(terminal),
      config_(config),
      observer_(observer) {}

void sink::reset() {
  free_at_ = alarm_ = 0;
  ready_ = false;
  in.ready.write(0);
  for (arrival_out& port : arrivals) port.valid.write(false);
}

std::uint64_t sink::listens(std::uint64_t cycle) const {
  for (const pause_interval& p : config_.pauses)
    if (cycle >= p.from && cycle < p.until) cycle = p.until;
  return cycle;
}

void sink::tick() {
  const std::uint64_t now = cycle();
  const bool takes = ready_ && in.valid.read() && in.data.read().lane == 0;
  if (takes) {
    observer_.delivered(now, terminal_, in.data.read());
    free_at_ = now + config_.interval;
  }
  for (arrival_out& port : arrivals) {
    port.valid.write(takes);
    if (takes) port.data.write(in.data.read());
  }
  // What is shown now is sampled at the next edge.
  const std::uint64_t next = listens(std::max(now + 1, free_at_));
  const bool was_ready = ready_;
  ready_ = next == now + 1;
  if (ready_ != was_ready) in.ready.write(ready_ ? 1 : 0);
  if (!ready_ && next != packet_supply::never) wake_at(next - 1);
  // A pause that is still ahead needs a call of its own.
  for (const pause_interval& p : config_.pauses) {
    if (!ready_ || p.from <= now + 1) continue;
    if (alarm_ != p.from - 1) wake_at(alarm_ = p.from - 1);
    break;
  }
  if (ready_ != was_ready || (ready_ && in.valid.read())) wake_at(now + 1);
}

}  // namespace spillway
