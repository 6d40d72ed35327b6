#pragma once
#include <spillway/tb/report/pictures.hpp>
#include <spillway/tb/reproduce/reproduction.hpp>
#include <string>
#include <vector>

namespace spillway {

/// The claims as a table for a terminal: claim, measured, verdict.
std::string claims_text(const reproduction& what, const std::vector<judged_claim>& claims);

/// The same for programs: verdicts.json.
std::string verdicts_json(const reproduction& what, const std::vector<judged_claim>& claims);

/// The report of a reproduction: one page with its claims, intervals and pictures, the same bytes for equal
/// results. Throws config_error for a picture that cannot be drawn from these results.
std::string reproduction_html(const reproduction& what, const std::vector<judged_claim>& claims,
                              const std::vector<picture>& pictures);

/// `0.0731 ± 0.0002`.
std::string with_interval(const estimate& e);

}  // namespace spillway
