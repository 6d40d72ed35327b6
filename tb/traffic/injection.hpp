#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/tb/traffic/random.hpp>

namespace spillway {

/// When the packets of one terminal come into being in one entry of its traffic.
class arrivals {
public:
  static constexpr std::uint64_t never = packet_supply::never;
  virtual ~arrivals() = default;

  /// Cycle of the first packet, `begin` at the earliest; `never`: there is none.
  virtual std::uint64_t first(std::uint64_t begin, random_stream& random) = 0;
  /// Cycle of the next packet, `due` or later; one after it sooner or later. The one before was due at `due`,
  /// and found room at `now`; its message has `length` flits in all.
  virtual std::uint64_t next(std::uint64_t due, std::uint64_t now, unsigned length,
                             random_stream& random) = 0;
};

/// When packets come into being. One object serves all terminals in an entry of the traffic; it does not
/// change.
class injection {
public:
  virtual ~injection() = default;
  /// Of a terminal that begins with the entry. What keeps no state may be one object for all of them.
  virtual std::shared_ptr<arrivals> start(std::uint32_t terminal) const = 0;
  /// Whether a packet comes into being only when none waits at the source.
  virtual bool waits_for_room() const { return false; }
  /// Whether the entry is over with the last packet, even if it has more `cycles`.
  virtual bool ends() const { return false; }
};

/// How much an entry of the traffic asks for.
struct offered_load {
  double rate = 0.1;                                ///< flits a cycle and terminal
  double length = 1;                                ///< flits of a packet, on average
  double packets() const { return rate / length; }  ///< a cycle and terminal
};

}  // namespace spillway
