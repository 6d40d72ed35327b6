#pragma once
#include <spillway/hw/switching/output_marker.hpp>
#include <vector>

namespace spillway {

/// When an output is congested.
struct ecn_marker_config {
  unsigned outputs = 2;    ///< 1 to 64
  unsigned threshold = 4;  ///< flits that wait for it, 1 to 65535
  /// Cycles for which the next has refused nothing: an output whose next has no room is a victim, not the
  /// root of the congestion. 0: victims mark too.
  unsigned room = 16;

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// Marks packets at the congested outputs of a switch: those for which `threshold` flits or more wait, and
/// whose next has had room for `room` cycles. A link shows whether there is room and not how much, so the
/// threshold on the next one's credits is one in time.
class ecn_marker final : public output_marker {
public:
  /// Throws as ecn_marker_config::check().
  ecn_marker(const sc_core::sc_module_name& name, const ecn_marker_config& config);

  /// Of an output, until when it is no root.
  hardware_size storage() const override { return {0, 0, victim_until_.size() * time_bits}; }

private:
  void reset() override;
  void tick() override;
  bool is_root(unsigned o);

  const ecn_marker_config config_;
  std::vector<std::uint64_t> victim_until_;  // by output
};

}  // namespace spillway
