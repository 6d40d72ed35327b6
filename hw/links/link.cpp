#include <algorithm>
#include <spillway/hw/links/packet_link.hpp>

namespace spillway {

network_link::network_link(link_place place)
    : place_(std::move(place)), parent_(sc_core::sc_get_current_object()) {}

std::string network_link::path() const {
  return parent_ ? parent_->name() + std::string(".") + place_.name : place_.name;
}

void network_link::connect_watch(packet_watch&) {
  throw std::logic_error(name() + " is a link of kind '" + kind() + "', which has no pins of a packet link");
}

std::string network_link::checker_name() const {
  std::string name = "check_" + path();
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

}  // namespace spillway
