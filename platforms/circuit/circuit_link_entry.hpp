#pragma once
#include <spillway/hw/circuit/circuit_link.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

class circuit_link_entry final : public link_entry {
public:
  circuit_link_entry() : link_entry("circuit") {}
  std::string description() const override {
    return "A circuit: a request that holds the link until it is acknowledged or rejected.";
  }
  std::vector<link_pin> pins() const override { return pins_of<circuit_pins>(); }
  std::vector<std::string> rules() const override {
    return {"CL1", "CL2", "CL3", "CL4", "CL5", "CL6", "CL7"};
  }
  bool tells_of_packets() const override { return false; }
  /// Measured within 5 % on fat trees of 1024 to 4096 terminals.
  double bytes() const override { return 2600; }
  std::unique_ptr<clocked> make_watch(network_link& l, const std::string& name, unsigned number,
                                      link_listener& to) const override {
    return watch_link<circuit_pins>(link_cast<circuit_link>(l), name, number, to);
  }
};

}  // namespace spillway
