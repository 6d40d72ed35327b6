#pragma once
#include <cstdint>
#include <memory>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/tb/traffic/random.hpp>
#include <vector>

namespace spillway {

class injection;
class measurement;
struct measure_context;

/// Where packets go. One object serves all terminals in an entry of the traffic; it does not change.
class pattern {
public:
  static constexpr std::uint64_t never = packet_supply::never;
  virtual ~pattern() = default;

  /// Fills in where a packet goes, below the number of terminals, and its kind, class and length if they are
  /// the pattern's to say. `number`: packets that the terminal has made in the entry before, from 0.
  virtual void address(packet_order& packet, std::uint32_t terminal, std::uint64_t number,
                       random_stream& random) const = 0;
  /// Whether the terminal sends nothing.
  virtual bool silent(std::uint32_t /*terminal*/) const { return false; }
  /// Packets of a terminal after which its entry is over; `never`: any number.
  virtual std::uint64_t packets() const { return never; }
  /// Whether the packets of a terminal come to an end by themselves.
  virtual bool ends() const { return packets() != never; }

  /// Flits a cycle and terminal where the entry asks for `asked`, and packets that come into being at once
  /// have `flits`, on average and together.
  virtual double rate(double asked, double /*flits*/) const { return asked; }
  /// When the packets come into being, if the pattern says that too; null: that is up to the injection.
  virtual std::shared_ptr<const injection> times() const { return nullptr; }
  /// Flits of the longest packet that it makes itself; 0: it leaves their length alone.
  virtual unsigned longest_packet() const { return 0; }
  /// Terminals whose traffic is counted as hot.
  virtual std::vector<std::uint32_t> hotspots() const { return {}; }
  /// What is to be measured of such traffic beside what every run is measured for; null: nothing.
  virtual std::unique_ptr<measurement> measure(const measure_context&) const;
};

}  // namespace spillway
