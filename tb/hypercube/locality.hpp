#pragma once
#include <spillway/tb/hypercube/message_meter.hpp>
#include <spillway/tb/traffic/entries.hpp>
#include <vector>

namespace spillway {

/// Messages to a hot spot, to terminals of the own cluster, and to those of other clusters (Dandamudi and
/// Eager), at a rate in messages a time unit.
struct locality_config {
  double lambda = 0;                         ///< messages of a terminal a time unit
  std::uint64_t unit = 64;                   ///< cycles of a time unit
  double local = 0;                          ///< alpha: fraction that stays in the own cluster
  std::vector<std::uint32_t> clusters = {};  ///< terminals in each, those with neighbouring numbers
  double fraction = 0;                       ///< h: fraction that goes to a target
  std::vector<std::uint32_t> targets = {0};  ///< of the hot spot
};

class locality_pattern final : public pattern {
public:
  explicit locality_pattern(locality_config config);

  void address(packet_order& packet, std::uint32_t terminal, std::uint64_t number,
               random_stream& random) const override;
  double rate(double, double flits) const override {
    return config_.lambda / static_cast<double>(config_.unit) * flits;
  }
  std::vector<std::uint32_t> hotspots() const override { return config_.targets; }
  std::unique_ptr<measurement> measure(const measure_context& context) const override {
    return std::make_unique<message_meter>(context, config_.unit, config_.fraction);
  }

private:
  const locality_config config_;
  std::vector<std::uint32_t> begins_;  // first terminal of each cluster, and how many there are
};

class locality_entry final : public pattern_entry {
public:
  locality_entry() : pattern_entry("locality") {}
  nlohmann::json schema() const override;
  std::shared_ptr<const pattern> make(const traffic_context& context) const override;
};

}  // namespace spillway
