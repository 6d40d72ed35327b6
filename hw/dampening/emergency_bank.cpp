#include <spillway/hw/dampening/emergency_bank.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

namespace {

unsigned checked_slots(unsigned slots) {
  if (slots < 1 || slots > 65535)
    throw std::invalid_argument("an emergency bank has 1 to 65535 places, found " + std::to_string(slots));
  return slots;
}

}  // namespace

emergency_bank::emergency_bank(const sc_core::sc_module_name& name, unsigned ports, unsigned slots)
    : clocked(name),
      spill(ports, "spill"),
      refill(ports, "refill"),
      places_(memory_.array<flit>(checked_slots(slots))) {}

flit& emergency_bank::place(unsigned slot) {
  if (slot < slots()) return places_[slot];
  const std::string what = std::string(name()) + ": place " + std::to_string(slot) +
                           " does not exist, the bank has " + std::to_string(slots());
  SC_REPORT_ERROR("spillway/bank", what.c_str());
  sc_core::sc_abort();  // only if errors have been told not to throw
}

void emergency_bank::reset() {
  for (refill_out& port : refill) port.valid.write(false);
}

void emergency_bank::tick() {
  for (spill_in& port : spill) {
    if (!port.valid.read()) continue;
    wake_at(cycle() + 1);
    place(port.slot.read()) = port.data.read();
  }
  for (refill_out& port : refill) {
    const bool asked = port.fetch.read();
    port.valid.write(asked);
    if (!asked) continue;
    wake_at(cycle() + 1);
    port.slot.write(port.wanted.read());
    port.data.write(place(port.wanted.read()));
  }
}

}  // namespace spillway
