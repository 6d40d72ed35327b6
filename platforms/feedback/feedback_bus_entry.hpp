#pragma once
#include <spillway/hw/feedback/feedback_link.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

class feedback_bus_entry final : public link_entry {
public:
  feedback_bus_entry() : link_entry("feedback_bus") {}
  std::string description() const override {
    return "Tells all interfaces of one module a cycle that has turned hot or cool.";
  }
  std::vector<link_pin> pins() const override { return pins_of<feedback_bus_pins>(); }
  std::vector<std::string> rules() const override { return {"FL3", "FL4", "FL5"}; }
  std::unique_ptr<clocked> make_watch(network_link& l, const std::string& name, unsigned number,
                                      link_listener& to) const override {
    return watch_link<feedback_bus_pins>(link_cast<feedback_bus_link>(l), name, number, to);
  }
};

}  // namespace spillway
