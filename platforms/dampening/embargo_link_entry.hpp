#pragma once
#include <spillway/hw/dampening/embargo_link.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

class embargo_link_entry final : public link_entry {
public:
  embargo_link_entry() : link_entry("embargo") {}
  std::string description() const override {
    return "A packet link of single-flit messages, with embargoes and interdiction against them.";
  }
  std::vector<link_pin> pins() const override { return pins_of<embargo_pins>(); }
  std::vector<std::string> rules() const override {
    return {"PL1", "PL2", "PL3", "PL4", "PL5", "EL1", "EL2", "EL3", "EL4", "EL5",
            "EL6", "EL7", "I1",  "I2",  "I3",  "I4",  "I5",  "I6",  "I7"};
  }
  std::unique_ptr<clocked> make_watch(network_link& l, const std::string& name, unsigned number,
                                      link_listener& to) const override {
    return watch_link<embargo_pins>(link_cast<embargo_link>(l), name, number, to);
  }
};

}  // namespace spillway
