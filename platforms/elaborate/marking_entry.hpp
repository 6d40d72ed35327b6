#pragma once
#include <memory>
#include <spillway/hw/switching/output_marker.hpp>
#include <spillway/platforms/catalogue/catalogue.hpp>
#include <string>

namespace spillway {

/// What a maker of markers is told.
struct marking_context {
  std::string name;  ///< SystemC name
  unsigned outputs = 0;
  const nlohmann::json& parameters;  ///< the `marking` section, defaults filled in
};

/// What marks packets at the outputs of every switch; nothing where the section `marking` is left out.
class marking_entry : public catalogue_entry {
public:
  using axis_entry = marking_entry;
  static axis_place place() { return {"marking", "kind"}; }

  /// One for each switch.
  virtual std::unique_ptr<output_marker> make(const marking_context& context) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
