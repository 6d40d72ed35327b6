#include <algorithm>
#include <limits>
#include <spillway/hw/kernel/prefetch.hpp>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/tlm/tlm_channel.hpp>

namespace spillway {

tlm_channel::tlm_channel(const sc_core::sc_module_name& name, const tlm_channel_config& config,
                         message_paths paths)
    : message_network(name, config.terminals),
      config_(config),
      paths_(std::move(paths)),
      room_for_others_(std::max(config.depth, config.packet_length) - config.packet_length),
      piece_(config.depth ? std::max<std::uint64_t>(config.packet_length, room_for_others_)
                          : std::numeric_limits<std::uint64_t>::max()),
      waiting_for_room_(config.terminals) {
  for (auto& links : links_) links.resize(paths_.links);
  for (auto& queues : queues_) queues.resize(paths_.queues);
  constexpr unsigned few = 256;
  if (config.terminals <= few) known_paths_.resize(std::size_t{config.terminals} * config.terminals);
  SPILLWAY_HAS_PROCESS(tlm_channel);
  SC_METHOD(advance);
  sensitive << wake_;
  dont_initialize();
}

sc_core::sc_time tlm_channel::time_of(std::uint64_t cycle) const {
  return sc_core::sc_time::from_value(config_.first_edge.value() + config_.period.value() * cycle);
}

void tlm_channel::send(const tlm_message& message, const sc_core::sc_time& from) {
  // The first edge after `from` shows the first flit, the next one moves it.
  const std::uint64_t first = config_.first_edge.value();
  const std::uint64_t shown = from.value() < first ? 0 : (from.value() - first) / config_.period.value() + 1;
  const path way = find_path(message.source, message.destination);
  prefetch(&hops_[way.first]);
  prefetch(&hops_[way.first + way.count - 1]);
  const bool tells = message.tag != 0;
  const std::uint32_t slot = new_slot();
  messages_[slot]->message = message;  // into the storage of the one before
  prefetch_way(way, message.network);
  const passage p = schedule(way, message, shown);
  messages_[slot]->ends = tells ? 2 : 1;
  if (tells) departures_.add(p.left, slot);
  arrivals_.add(p.arrived, slot);
  wake_at(tells ? p.left : p.arrived);
}

tlm_channel::path tlm_channel::find_path(unsigned source, unsigned destination) {
  const bool kept = !known_paths_.empty();
  const std::size_t at = std::size_t{source} * config_.terminals + destination;
  if (kept && known_paths_[at].count) return known_paths_[at];
  if (!kept) hops_.clear();
  path way{static_cast<std::uint32_t>(hops_.size())};
  paths_.find(source, destination, hops_);
  way.count = static_cast<std::uint32_t>(hops_.size()) - way.first;
  if (kept) known_paths_[at] = way;
  return way;
}

/// The schedules of a way lie all over the network: they are fetched side by side.
void tlm_channel::prefetch_way(const path& way, unsigned network) const {
  for (const message_hop *hop = &hops_[way.first], *const end = hop + way.count; hop != end; ++hop) {
    prefetch(&queues_[network][hop->queue]);
    prefetch(&links_[network][hop->link]);
  }
}

tlm_channel::passage tlm_channel::schedule(const path& way, const tlm_message& message, std::uint64_t shown) {
  passage p{};
  for (std::uint64_t rest = message.words.size() + 1; rest;) {
    const std::uint64_t flits = std::min(rest, piece_);
    p = lay_out_packet(way, message.network, shown, flits);
    rest -= flits;
  }
  return p;
}

tlm_channel::passage tlm_channel::lay_out_packet(const path& way, unsigned network, std::uint64_t shown,
                                                 std::uint64_t flits) {
  const std::uint64_t stored =
      config_.store_and_forward ? std::min<std::uint64_t>(flits, config_.packet_length) - 1 : 0;
  auto& queues = queues_[network];
  auto& links = links_[network];
  const bool limited = config_.depth != 0;
  const message_hop* const hops = &hops_[way.first];
  queue_schedule* from = &queues[hops->queue];
  passage p{};
  std::uint64_t came = shown + config_.entry;  // when the packet could be sent on at the next edge
  for (std::size_t i = 0; i < way.count; ++i) {
    queue_schedule* const to = i + 1 < way.count ? &queues[hops[i + 1].queue] : nullptr;
    const std::uint64_t ready = std::max(came + 1, from->free_from());
    const std::uint64_t room = to && limited ? to->drained_to(room_for_others_, ready) : 0;
    const std::uint64_t first = links[hops[i].link].take(ready, room, flits);
    if (i == 0) p.left = first - config_.entry + flits - 1;
    if (i && limited) from->remember(came, first, flits);
    from->occupy(first + flits);
    p.arrived = first + flits - 1;
    came = first + stored;
    from = to;
  }
  return p;
}

std::uint32_t tlm_channel::new_slot() {
  if (idle_.empty()) {
    messages_.push_back(std::make_unique<in_flight>());
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }
  const std::uint32_t slot = idle_.back();
  idle_.pop_back();
  return slot;
}

void tlm_channel::wake_at(std::uint64_t cycle) {
  if (cycle >= wakes_at_) return;
  wakes_at_ = cycle;
  wake_.notify(time_of(cycle) - sc_core::sc_time_stamp());
}

void tlm_channel::advance() {
  now_ = wakes_at_;
  wakes_at_ = 0;  // what is sent from within comes later
  for (const std::uint32_t slot : departures_.take(now_)) {
    const tlm_message& message = messages_[slot]->message;
    const std::uint64_t tag = message.tag;
    message_receiver& sender = receiver(message.source);
    release(slot);
    sender.sent(tag);
  }
  for (const std::uint32_t slot : arrivals_.take(now_)) {
    const tlm_message& message = messages_[slot]->message;
    if (message.network == 1) {
      hand_over(slot);
    } else {
      waiting_for_room_[message.destination].push_back(slot);
      deliver(message.destination);
    }
  }
  wakes_at_ = calendar::never;
  const std::uint64_t next = std::min(departures_.next(), arrivals_.next());
  if (next != calendar::never) wake_at(next);
}

void tlm_channel::deliver(unsigned terminal) {
  std::deque<std::uint32_t>& door = waiting_for_room_[terminal];
  while (!door.empty() && receiver(terminal).room(0)) {
    const std::uint32_t slot = door.front();
    door.pop_front();
    hand_over(slot);
  }
}

/// A request that there is room for, or a reply.
void tlm_channel::hand_over(std::uint32_t slot) {
  const tlm_message& message = messages_[slot]->message;
  receiver(message.destination).arrived(message);
  release(slot);
}

void tlm_channel::release(std::uint32_t slot) {
  if (--messages_[slot]->ends == 0) idle_.push_back(slot);
}

void tlm_channel::clear() {
  for (const auto& m : messages_)
    if (m->ends) lost_ += m->message.words.size() + 1;
  messages_.clear();
  idle_.clear();
  for (auto& door : waiting_for_room_) door.clear();
  for (auto& links : links_) links.assign(links.size(), {});
  for (auto& queues : queues_) queues.assign(queues.size(), {});
  arrivals_.clear(now_);
  departures_.clear(now_);
  wakes_at_ = calendar::never;
  wake_.cancel();
}

}  // namespace spillway
