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
  std::string date;                       ///< of the run, as 2026-01-31
  bool stale = false;                     ///< what they depend on has changed since
  std::map<std::string, outcome> claims;  ///< by the claim's `value`

  /// What was kept for a claim; nothing if it has changed, or is new.
  std::optional<outcome> of(const judged_claim& claim) const;
};

/// Reads them; none if there is no such file. Throws config_error for one that is not as `reproduce` writes
/// it.
std::optional<kept_verdicts> read_kept(const std::filesystem::path& file, const nlohmann::json& depends);

}  // namespace spillway
