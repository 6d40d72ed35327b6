#pragma once
#include <spillway/hw/switching/arbiter.hpp>
#include <spillway/platforms/catalogue/catalogue.hpp>

namespace spillway {

/// An arbiter that switches whose section has the key `arbiter` can have at their outputs.
class arbiter_entry : public catalogue_entry {
public:
  using axis_entry = arbiter_entry;
  static axis_place place() { return {"switch", "arbiter"}; }

  /// @param parameters the `switch` section, defaults filled in
  virtual arbiter_maker maker(const nlohmann::json& parameters) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
