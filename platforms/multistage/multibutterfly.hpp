#pragma once
#include <spillway/platforms/multistage/multistage.hpp>
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

/// Butterfly whose switches have `dilation` outputs for each digit (Leighton and Maggs): output
/// digit * dilation + i. Between stages each block of switches is joined to the blocks of its digits at
/// random, the outputs of a digit to different switches where there are enough; the last stage has one output
/// a digit. radix^stages terminals. With dilation 1 and any wiring it routes as a butterfly does.
topology make_multibutterfly(unsigned radix, unsigned stages, unsigned dilation, std::uint64_t wiring_seed);

class multibutterfly_topology final : public topology_entry {
public:
  multibutterfly_topology() : topology_entry("multibutterfly") {}

  std::string column() const override { return "stage"; }
  nlohmann::json schema() const override;
  std::optional<topology_size> size(const nlohmann::json& parameters) const override {
    return multistage_shape(parameters).size();
  }
  topology make(const topology_context& context) const override {
    const nlohmann::json& keys = context.parameters;
    return make_multibutterfly(keys.at("radix"), keys.at("stages"), keys.at("dilation"),
                               keys.at("wiring_seed"));
  }
};

}  // namespace spillway
