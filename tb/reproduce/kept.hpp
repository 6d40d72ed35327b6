#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <spillway/tb/reproduce/reproduction.hpp>
#include <string>

namespace spillway {

/// Verdicts of the last run at full size, from `docs/results/NAME/verdicts.json`: a quick run shows them for
/// the claims that it cannot judge.
struct kept_verdicts {
  struct kept_claim {
    outcome result;
    std::string bounds;  ///< without blanks; empty without `known`
  };
  std::string date;                          ///< of the run, as 2026-01-31
  bool stale = false;                        ///< what they depend on has changed since
  std::map<std::string, kept_claim> claims;  ///< by the claim's `value`

  /// What was kept for the claim with this `value` and `bounds`; nothing if it has changed, or is new.
  std::optional<outcome> of(const std::string& value, const std::string& bounds) const;
};

/// Reads them; none if there is no such file. Throws config_error for one that is not as `reproduce` writes
/// it.
std::optional<kept_verdicts> read_kept(const std::filesystem::path& file, const nlohmann::json& depends);

}  // namespace spillway
