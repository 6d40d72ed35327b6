#pragma once
#include <optional>
#include <spillway/tb/report/pictures.hpp>
#include <spillway/tb/reproduce/kept.hpp>
#include <spillway/tb/reproduce/reproduction.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What a reproduction found.
struct findings {
  std::vector<judged_claim> claims;
  std::vector<measured_table> tables;
  std::optional<kept_verdicts> kept;  ///< of full size, for what is not judged here
};

/// How many claims came to what.
struct tally {
  std::map<outcome, unsigned> count;
  unsigned without_kept = 0;  ///< of those that need full size: nothing is kept that is not stale

  void add(const findings& found);
  /// `12 hold, 2 do not and are explained, 1 undecided, 3 need full size`.
  std::string text() const;
};

/// The claims as a table for a terminal: claim, measured, verdict; with colours of ANSI terminals if wanted.
std::string claims_text(const reproduction& what, const findings& found, bool colours);

/// The same for programs: verdicts.json.
std::string verdicts_json(const reproduction& what, const findings& found);

/// The report of a reproduction: one page with its claims, intervals and pictures, the same bytes for equal
/// results. Throws config_error for a picture that cannot be drawn from these results.
std::string reproduction_html(const reproduction& what, const findings& found,
                              const std::vector<picture>& pictures);

/// `0.0731 ± 0.0002`.
std::string with_interval(const estimate& e);

}  // namespace spillway
