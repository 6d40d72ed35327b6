#pragma once
#include <spillway/hw/isolation/isolation_link.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

class isolation_link_entry final : public link_entry {
public:
  isolation_link_entry() : link_entry("isolation") {}
  std::string description() const override {
    return "A packet link with what its ends tell each other of congestion trees.";
  }
  std::vector<link_pin> pins() const override { return pins_of<isolation_pins>(); }
  std::vector<std::string> rules() const override {
    return {"PL1", "PL2", "PL3", "PL4", "PL5", "IS1", "IS2", "IS3", "IS4", "IS5", "IS6", "IS7", "IS8"};
  }
  std::unique_ptr<clocked> make_watch(network_link& l, const std::string& name, unsigned number,
                                      link_listener& to) const override {
    return watch_link<isolation_pins>(link_cast<isolation_link>(l), name, number, to);
  }
};

}  // namespace spillway
