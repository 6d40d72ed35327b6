#include <algorithm>
#include <spillway/hw/links/link.hpp>

namespace spillway {

network_link::network_link(link_place place)
    : place_(std::move(place)), parent_(sc_core::sc_get_current_object()) {}

std::string network_link::path() const {
  return parent_ ? parent_->name() + std::string(".") + place_.name : place_.name;
}

std::string network_link::checker_name() const {
  std::string name = "check_" + path();
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

}  // namespace spillway
