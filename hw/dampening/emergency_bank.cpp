#include <spillway/hw/dampening/emergency_bank.hpp>
#include <stdexcept>

namespace spillway {

emergency_bank::emergency_bank(const sc_core::sc_module_name& name, unsigned ports, unsigned slots)
    : clocked(name), spill(ports, "spill"), refill(ports, "refill"), places_(slots) {
  if (slots < 1 || slots > 65535)
    throw std::invalid_argument("an emergency bank has 1 to 65535 places, found " + std::to_string(slots));
}

void emergency_bank::reset() {
  for (refill_out& port : refill) port.valid.write(false);
}

void emergency_bank::tick() {
  for (spill_in& port : spill) {
    if (!port.valid.read()) continue;
    wake_at(cycle() + 1);
    places_.at(port.slot.read()) = port.data.read();
  }
  for (refill_out& port : refill) {
    const bool asked = port.fetch.read();
    port.valid.write(asked);
    if (!asked) continue;
    wake_at(cycle() + 1);
    port.slot.write(port.wanted.read());
    port.data.write(places_.at(port.wanted.read()));
  }
}

}  // namespace spillway
