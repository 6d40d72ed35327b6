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
  std::unique_ptr<clocked> make_watch(network_link& l, const std::string& name, unsigned number,
                                      link_listener& to) const override {
    return watch_link<spill_pins>(link_cast<spill_link>(l), name, number, to);
  }
};

}  // namespace spillway
