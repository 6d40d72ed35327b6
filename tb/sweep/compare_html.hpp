#pragma once
#include <spillway/tb/report/pictures.hpp>
#include <spillway/tb/report/record.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Packets over time of several runs, one curve a run: those delivered that were not for a hot spot, and
/// those that have been created and not delivered.
std::vector<picture> compare_pictures(const std::vector<run_record>& runs);

/// One of those that are compared: runs that differ in their seeds, at least one. All have as many, of the
/// same seeds in the same order.
using seeded_runs = std::vector<run_record>;

/// Several of them on one page: those pictures and their networks, where they have been recorded, of the
/// first seed, and their numbers with the differences from the first of them; of several seeds means with 95
/// % intervals, differences seed by seed.
std::string compare_html(const std::vector<seeded_runs>& compared);

/// The same numbers as a table for a terminal.
std::string compare_text(const std::vector<seeded_runs>& compared);

}  // namespace spillway
