#pragma once
#include <spillway/hw/dram/dram_module.hpp>
#include <spillway/platforms/elaborate/memory_front_entry.hpp>

namespace spillway {

/// `interface: {kind: memory, module: dram}`: modules with banks and open rows.
class dram_entry final : public memory_front_entry {
public:
  dram_entry() : memory_front_entry("dram") {}
  nlohmann::json schema() const override;
  std::unique_ptr<memory_front> make(const std::string& name, unsigned terminal,
                                     const nlohmann::json& parameters,
                                     endpoint_observer& observer) const override;
  bool keeps_order(const nlohmann::json& parameters) const override {
    return parameters.at("order") == "in_order";
  }
  nlohmann::json completed(const document& experiment) const override;
  std::string objection_to(const nlohmann::json& parameters, const nlohmann::json& root) const override;
};

/// What its keys say. Throws std::invalid_argument.
dram_config dram_of(const nlohmann::json& parameters);

}  // namespace spillway
