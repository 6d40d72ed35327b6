#pragma once
#include <algorithm>
#include <cstdint>
#include <spillway/hw/kernel/hardware_size.hpp>
#include <spillway/hw/links/flit.hpp>
#include <spillway/hw/switching/drop_rule.hpp>
#include <tuple>
#include <vector>

namespace spillway {

/// When room is reserved for a message.
enum class srp_reserve {
  first,       ///< before it is sent
  after_drop,  ///< when a packet of it has been dropped
  last_switch  ///< by the switch that drops a packet, which is a message of its own
};

}  // namespace spillway

/// What interfaces with speculative reservation (Jiang, Becker, Michelogiannakis and Dally, HPCA 2012) tell
/// each other: messages of one flit, whose kind is in the interface word.
namespace spillway::srp {

/// The logical networks. None ever waits for one below it; with priorities none gives way to one below it.
constexpr unsigned speculative = 0;  ///< data packets that a switch may drop
constexpr unsigned reserved = 1;     ///< data packets that no switch drops
constexpr unsigned requests = 2;     ///< see message
constexpr unsigned answers = 3;      ///< see message
constexpr unsigned networks = 4;     ///< logical networks in all

/// Kind of a message, in the low byte of flit::interface_word.
enum class message : std::uint8_t {
  reservation = 1,  ///< request: room for so many flits
  dropped = 2,      ///< request: what is left of a speculative packet that a switch has dropped
  grant = 3,        ///< answer: from when on
  delivered = 4,    ///< answer: a speculative packet has come
  refused = 5,      ///< answer: it has been dropped
  deferred = 6,     ///< answer, of the last switch: it has been dropped, and may come from a granted time on
};
/// The kind of a message of make_message().
inline message message_of(const flit& f) { return static_cast<message>(f.interface_word); }

/// A packet, as the terminals at its ends know it: which way it goes they know. A reply has the number of its
/// request, which may be that of a packet of its sender's own.
struct packet_name {
  std::uint32_t other = 0;   ///< the terminal at its other end
  std::uint32_t number = 0;  ///< flit::packet
  bool reply = false;        ///< to a request of that number
};
/// @{
/// By all three.
inline bool operator==(const packet_name& a, const packet_name& b) {
  return a.other == b.other && a.number == b.number && a.reply == b.reply;
}
inline bool operator<(const packet_name& a, const packet_name& b) {
  return std::tie(a.other, a.number, a.reply) < std::tie(b.other, b.number, b.reply);
}
/// @}

constexpr std::uint64_t about_reply = 1 << 8;  ///< bit of the interface word of a message about a reply
/// Of a packet's head or tail.
inline packet_name packet_of(const flit& f, std::uint32_t other) {
  return {other, f.packet, f.kind == flit_kind::reply};
}
/// What a message is about that is no reservation and no grant.
inline packet_name subject_of(const flit& f, std::uint32_t other) {
  return {other, f.packet, (f.interface_word & about_reply) != 0};
}

/// To `about.other`. `content`: of a reservation its flits, of what grants a time its times.
inline flit make_message(message what, std::uint32_t from, const packet_name& about,
                         std::uint64_t content = 0) {
  flit f;
  f.kind = flit_kind::acknowledge;
  f.source = from;
  f.destination = about.other;
  f.packet = about.number;
  f.network = what <= message::dropped ? requests : answers;
  f.interface_word = static_cast<std::uint8_t>(what) | (about.reply ? about_reply : 0);
  f.payload = content;
  return f;
}

// A grant bears the cycle from which on the flits may arrive, and the one at which it was sent: the flits may
// leave as much sooner as it has been under way. Both are the low 32 bits of a count that all terminals
// share.
/// The content of a grant: `start`, when the flits may arrive; `sent`, now.
inline std::uint64_t grant_times(std::uint64_t start, std::uint64_t sent) {
  return static_cast<std::uint32_t>(start) | sent << 32;
}
/// Cycle from which on the flits may leave, at least `now`, at which the grant has come.
inline std::uint64_t may_leave(const flit& grant, std::uint64_t now) {
  const auto since = [now](std::uint64_t t) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(now) - static_cast<std::uint32_t>(t));
  };
  const std::int32_t wait = -since(grant.payload) - since(grant.payload >> 32);
  return wait > 0 ? now + static_cast<std::uint32_t>(wait) : now;
}

/// Cycles that `flits` take at a receiver that counts `overhead` cycles for 1,000 of them.
inline std::uint64_t cycles_of(std::uint64_t flits, unsigned overhead) {
  return (flits * overhead + 999) / 1000;
}

/// Speculative packets live for so many cycles in a switch; of those that are dropped the head goes on to the
/// receiver as a request.
class time_of_life final : public drop_rule {
public:
  /// `cycles` in a switch, after which a speculative packet is dropped.
  explicit time_of_life(std::uint64_t cycles) : cycles_(cycles) {}

  std::uint64_t life(unsigned network, const flit&, const drop_place&) const override {
    return network == speculative ? cycles_ : never;
  }
  dropped_remains remains(const flit& head, const drop_place&, std::uint64_t) override {
    flit f = head;
    f.kind = flit_kind::acknowledge;
    f.length = 1;
    f.network = requests;
    f.interface_word = static_cast<std::uint8_t>(message::dropped);
    if (head.kind == flit_kind::reply) f.interface_word |= about_reply;
    return {f, requests, false};
  }

private:
  const std::uint64_t cycles_;
};

/// The last switch of a packet has the schedule of the terminals behind it (Jiang, Dennison and Dally, SC
/// 2015: LHRP). It drops speculative packets for a terminal while more than a threshold of flits waits there
/// for it, and tells the source at once from when on the packet may come again.
class last_switch_schedule final : public drop_rule {
public:
  /// `threshold`: flits for one terminal that may wait. `overhead`: cycles that are reserved for 1,000 flits.
  /// `outputs`: of the switch.
  last_switch_schedule(unsigned threshold, unsigned overhead, unsigned outputs)
      : threshold_(threshold), overhead_(overhead), free_from_(outputs) {}

  bool watches_terminals() const override { return true; }
  unsigned bits_of_terminal() const override { return time_bits + bits_below(thousand); }
  void clear() override { free_from_.assign(free_from_.size(), 0); }
  std::uint64_t life(unsigned network, const flit&, const drop_place& place) const override {
    if (network != speculative || !place.last) return never;
    return place.backlog > threshold_ ? 0 : lasting;
  }
  dropped_remains remains(const flit& head, const drop_place& place, std::uint64_t now) override {
    std::uint64_t& free_from = free_from_[place.output];
    free_from = std::max(free_from, now * thousand);
    const std::uint64_t start = (free_from + thousand - 1) / thousand;
    free_from += std::uint64_t{head.length} * overhead_;
    return {make_message(message::deferred, head.destination, packet_of(head, head.source),
                         grant_times(start, now)),
            answers, true};
  }

private:
  static constexpr std::uint64_t thousand = 1000;
  const unsigned threshold_, overhead_;
  std::vector<std::uint64_t> free_from_;  // by output: thousandths of cycles up to which all is reserved
};

}  // namespace spillway::srp
