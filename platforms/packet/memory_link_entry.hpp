#pragma once
#include <spillway/hw/packet/memory_link.hpp>
#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

class memory_link_entry final : public link_entry {
public:
  memory_link_entry() : link_entry("memory") {}
  std::string description() const override {
    return "From a memory queue to its memory: a packet link with the length of the queue.";
  }
  std::vector<link_pin> pins() const override { return pins_of<packet_pins, length_pins>(); }
  std::vector<std::string> rules() const override { return {"PL1", "PL2", "PL3", "PL4", "PL5", "FL1"}; }
  std::unique_ptr<clocked> make_watch(network_link& l, const std::string& name, unsigned number,
                                      link_listener& to) const override {
    return watch_link<packet_pins>(link_cast<packet_link>(l), name, number, to);
  }
};

}  // namespace spillway
