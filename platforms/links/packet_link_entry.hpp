#pragma once
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

class packet_link_entry final : public link_entry {
public:
  packet_link_entry() : link_entry("packet") {}
  std::string description() const override {
    return "Flits one after another; the receiver says which lanes it has room for.";
  }
  std::vector<link_pin> pins() const override { return pins_of<packet_pins>(); }
  std::vector<std::string> rules() const override { return {"PL1", "PL2", "PL3", "PL4", "PL5"}; }
  std::vector<std::string> keys() const override { return {"latency", "places"}; }
  std::unique_ptr<clocked> make_watch(network_link& l, const std::string& name, unsigned number,
                                      link_listener& to) const override {
    return watch_link<packet_pins>(link_cast<packet_link>(l), name, number, to);
  }
};

}  // namespace spillway
