#pragma once
#include <spillway/hw/packet/buffer_pool.hpp>
#include <spillway/platforms/catalogue/catalogue.hpp>

namespace spillway {

/// Which queues a packet switch has: `switch: {kind: packet, buffering: NAME}`.
class buffering_entry : public catalogue_entry {
public:
  using axis_entry = buffering_entry;
  static axis_place place() { return {"switch", "buffering"}; }

  /// Says so in the configuration of a pool, in which `depth` has been set.
  /// @param parameters the `switch` section, defaults filled in
  virtual void configure(const nlohmann::json& parameters, buffer_pool_config& pool) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

/// Who may take a place of the pool of a packet switch: `switch: {kind: packet, assignment: NAME}`.
class assignment_entry : public catalogue_entry {
public:
  using axis_entry = assignment_entry;
  static axis_place place() { return {"switch", "assignment"}; }

  /// Says so in the configuration of a pool, after its buffering_entry: in `assignment`, or `admission`.
  /// @param parameters the `switch` section, defaults filled in
  virtual void configure(const nlohmann::json& parameters, buffer_pool_config& pool) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
