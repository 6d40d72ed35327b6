#pragma once
#include <spillway/hw/feedback/admission_link.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

class admission_link_entry final : public link_entry {
public:
  admission_link_entry() : link_entry("admission") {}
  std::string description() const override {
    return "Between a processor's interface and the arbiter that admits its requests.";
  }
  std::vector<link_pin> pins() const override { return pins_of<admission_pins>(); }
  std::vector<std::string> rules() const override { return {"FL6", "FL7"}; }
  std::unique_ptr<clocked> make_watch(network_link& l, const std::string& name, unsigned number,
                                      link_listener& to) const override {
    return watch_link<admission_pins>(link_cast<admission_link>(l), name, number, to);
  }
};

}  // namespace spillway
