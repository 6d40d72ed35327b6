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
};

}  // namespace spillway
