#pragma once
#include <spillway/tb/traffic/software_entry.hpp>

namespace spillway {

/// Software combining (Dandamudi and Eager, section 3.3.2; Yew, Tzeng and Lawrie): see tree_supply.
class combining_software final : public software_entry {
public:
  combining_software() : software_entry("combining") {}
  nlohmann::json schema() const override;
  software_plan plan(const software_context& context) const override;
};

}  // namespace spillway
