#pragma once
#include <spillway/tb/report/pictures.hpp>
#include <spillway/tb/report/record.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Packets over time of several runs, one curve a run: those delivered that were not for a hot spot, and
/// those that have been created and not delivered.
std::vector<picture> compare_pictures(const std::vector<run_record>& runs);

/// Several runs on one page: those pictures, their networks where they have been recorded, and their numbers
/// with the differences from the first run.
std::string compare_html(const std::vector<run_record>& runs);

/// The same numbers as a table for a terminal.
std::string compare_text(const std::vector<run_record>& runs);

}  // namespace spillway
