#pragma once
#include <spillway/platforms/config/document.hpp>
#include <spillway/tb/sweep/plan.hpp>
#include <vector>

/// What can be said of a reproduction's file without planning its runs.
namespace spillway {

/// How to expand its groups of runs, at full size or as --quick has them. Throws config_error for a key of
/// the file's smaller grid that no group has.
std::vector<expansion> groups_of(const document& file, bool quick);

/// What verdicts at full size depend on: the checksum of what the file says of runs, formulas and tables, and
/// of every file that the runs read, by the name by which it is read. Throws config_error.
nlohmann::json depends_on(const document& file);

}  // namespace spillway
