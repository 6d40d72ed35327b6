#pragma once
#include <spillway/hw/switching/marking_link.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

class marking_link_entry final : public link_entry {
public:
  marking_link_entry() : link_entry("marking") {}
  std::string description() const override {
    return "From an output of a switch to what marks packets there: how much waits, and back the marks.";
  }
  std::vector<link_pin> pins() const override { return pins_of<marking_pins>(); }
  std::unique_ptr<clocked> make_watch(network_link& l, const std::string& name, unsigned number,
                                      link_listener& to) const override {
    return watch_link<marking_pins>(link_cast<marking_link>(l), name, number, to);
  }
};

}  // namespace spillway
