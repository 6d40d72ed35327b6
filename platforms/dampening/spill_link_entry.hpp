#pragma once
#include <spillway/hw/dampening/bank_link.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

class spill_link_entry final : public link_entry {
public:
  spill_link_entry() : link_entry("spill") {}
  std::string description() const override {
    return "From a pool to its emergency bank: a flit for a place.";
  }
  std::vector<link_pin> pins() const override { return pins_of<spill_pins>(); }
  std::vector<std::string> rules() const override { return {"BL1", "BL3", "BL4"}; }
};

}  // namespace spillway
