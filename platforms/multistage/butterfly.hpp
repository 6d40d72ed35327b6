#pragma once
#include <spillway/platforms/multistage/multistage.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

class butterfly_topology final : public topology_entry {
public:
  butterfly_topology() : topology_entry("butterfly") {}

  std::string column() const override { return "stage"; }
  nlohmann::json schema() const override {
    return {
        {"description",
         "Multistage network: each stage sets one digit of the destination, most significant first."},
        {"required", {"stages"}},
        {"properties", {{"radix", radix_key()}, {"stages", stages_key()}, {"terminals", terminals_key()}}}};
  }
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    return multistage_shape(parameters).size();
  }
  topology make(const topology_context& context) const override {
    return make_butterfly(multistage_shape(context.parameters));
  }
};

}  // namespace spillway
