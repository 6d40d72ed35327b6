#include <algorithm>
#include <spillway/tb/workloads/message_supply.hpp>

namespace spillway {

std::uint64_t message_supply::due(std::uint64_t now, std::size_t backlog) {
  if (backlog) return never;
  if (left_) return now;
  return finished() ? never : std::max(now, next_message(now));
}

packet_order message_supply::take(std::uint64_t now) {
  if (left_ == 0) {
    current_ = begin(now);
    left_ = current_.packets;
  }
  packet_order order;
  order.destination = current_.destination;
  order.length = packet_length_;
  order.data = current_.packets;
  order.interface_word = library_.interface_word(current_.packets - left_, current_.packets);
  --left_;
  return order;
}

}  // namespace spillway
