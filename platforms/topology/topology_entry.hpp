#pragma once
#include <filesystem>
#include <optional>
#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/platforms/topology/topology.hpp>

namespace spillway {

/// What a maker of topologies is told.
struct topology_context {
  const nlohmann::json& parameters;    ///< the `topology` section, defaults filled in
  std::filesystem::path folder = ".";  ///< what file names are relative to
  bool terminals_only = false;  ///< switches and links may be left out: there is a model in their place
};

/// A topology that an experiment can choose by its name.
class topology_entry : public catalogue_entry {
public:
  using axis_entry = topology_entry;
  static axis_place place() { return {"topology"}; }

  /// What a network of these parameters has; none: that is not known until it is made. It may be more than
  /// any machine can hold, which is refused before anything is made.
  virtual std::optional<topology_size> size(const nlohmann::json& /*parameters*/) const { return {}; }
  /// What the switches of one column of its pictures (vertex::stage) are together, such as `stage`.
  virtual std::string column() const { return "column"; }
  /// Throws std::invalid_argument for parameters out of range, config_error for a file.
  virtual topology make(const topology_context& context) const = 0;

protected:
  using catalogue_entry::catalogue_entry;
};

/// The topology of a section, in which keys may be left to their defaults.
/// @param folder what file names in it are relative to
/// Throws as its entry, std::invalid_argument also for a graph whose ports do not fit or whose size is not as
/// the entry says.
topology make_topology(const catalogue& all, nlohmann::json section,
                       const std::filesystem::path& folder = ".", bool terminals_only = false);

}  // namespace spillway
