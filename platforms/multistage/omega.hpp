#pragma once
#include <spillway/platforms/multistage/multistage.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

class omega_topology final : public topology_entry {
public:
  omega_topology() : topology_entry("omega") {}

  std::string column() const override { return "stage"; }
  nlohmann::json schema() const override {
    return {
        {"description", "Multistage network: a perfect shuffle before every stage."},
        {"required", {"stages"}},
        {"properties", {{"radix", radix_key()}, {"stages", stages_key()}, {"terminals", terminals_key()}}}};
  }
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    return multistage_shape(parameters).size();
  }
  topology make(const topology_context& context) const override {
    return make_omega(multistage_shape(context.parameters));
  }
};

}  // namespace spillway
