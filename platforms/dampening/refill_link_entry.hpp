#pragma once
#include <spillway/hw/dampening/bank_link.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

class refill_link_entry final : public link_entry {
public:
  refill_link_entry() : link_entry("refill") {}
  std::string description() const override {
    return "From an emergency bank to its pool: the flit of a place that is asked for.";
  }
  std::vector<link_pin> pins() const override { return pins_of<refill_pins>(); }
  std::vector<std::string> rules() const override { return {"BL1", "BL2", "BL3", "BL5", "BL6"}; }
  std::unique_ptr<clocked> make_watch(network_link& l, const std::string& name, unsigned number,
                                      link_listener& to) const override {
    return watch_link<refill_pins>(link_cast<refill_link>(l), name, number, to);
  }
};

}  // namespace spillway
