#include <algorithm>
#include <spillway/tb/traffic/answering_supply.hpp>
#include <utility>

namespace spillway {

std::uint64_t answering_supply::due(std::uint64_t now, std::size_t backlog) {
  const std::uint64_t own = own_->due(now, backlog);
  own_is_due_ = own <= now;
  return replies_.empty() ? own : std::min(own, std::max(now, replies_.front().due));
}

packet_order answering_supply::take(std::uint64_t now) {
  if (replies_.empty() || (own_is_due_ && own_->scheduled() <= replies_.front().due)) return own_->take(now);
  const packet_order order = replies_.front().order;
  replies_.pop_front();
  return order;
}

void answering_supply::arrived(std::uint64_t now, const flit& f) {
  if (!f.tail() || f.kind == flit_kind::reply || f.traffic_class & software_message) return;
  packet_order order;
  order.destination = f.source;
  order.length = f.length;
  order.kind = flit_kind::reply;
  order.network = f.network;
  order.traffic_class = static_cast<std::uint8_t>(f.traffic_class);
  order.interface_word = f.interface_word;  // what goes past a protocol is answered past it
  order.answers = f.packet;
  replies_.push_back({now + 1, order});
}

std::uint64_t answering_supply::forget() {
  std::uint64_t flits = own_->forget();
  for (const reply& r : replies_) flits += r.order.length;
  replies_.clear();
  return flits;
}

std::function<std::unique_ptr<packet_supply>(std::uint32_t terminal)> answered(
    std::function<std::unique_ptr<timed_supply>(std::uint32_t terminal)> own, bool replies) {
  if (!replies) return own;
  return [own = std::move(own)](std::uint32_t terminal) {
    return std::make_unique<answering_supply>(own(terminal));
  };
}

}  // namespace spillway
