#pragma once
#include <cstdint>
#include <spillway/hw/links/flit.hpp>
#include <spillway/hw/switching/drop_rule.hpp>

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
};
/// The kind of a message of make_message().
inline message message_of(const flit& f) { return static_cast<message>(f.interface_word); }

/// `packet`: number of the packet that it is about. `content`: of a reservation its flits, of a grant its
/// times.
inline flit make_message(message what, std::uint32_t from, std::uint32_t to, std::uint32_t packet,
                         std::uint64_t content = 0) {
  flit f;
  f.kind = flit_kind::acknowledge;
  f.source = from;
  f.destination = to;
  f.packet = packet;
  f.network = what <= message::dropped ? requests : answers;
  f.interface_word = static_cast<std::uint8_t>(what);
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

  std::uint64_t life(unsigned network, const flit&) const override {
    return network == speculative ? cycles_ : never;
  }
  dropped_remains remains(const flit& head) const override {
    flit f = head;
    f.kind = flit_kind::acknowledge;
    f.length = 1;
    f.network = requests;
    f.interface_word = static_cast<std::uint8_t>(message::dropped);
    return {f, requests};
  }

private:
  const std::uint64_t cycles_;
};

}  // namespace spillway::srp
