#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <spillway/platforms/catalogue/entry.hpp>
#include <spillway/tb/measure/measurement.hpp>

namespace spillway {

/// Something that an experiment can measure beside what every run is measured for:
/// `measures: [{kind: NAME, ...}]`.
class measure_entry : public catalogue_entry {
public:
  using axis_entry = measure_entry;
  static axis_place place() { return {"measures"}; }
  /// `section`: its keys, defaults filled in. Throws std::invalid_argument if they do not fit the run.
  virtual std::unique_ptr<measurement> make(const nlohmann::json& section,
                                            const measure_context& context) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

}  // namespace spillway
