#pragma once
#include <spillway/tb/report/record.hpp>
#include <string>
#include <vector>

namespace spillway {

/// The columns of a CSV file of numbers; an empty cell is not-a-number. Throws io_error.
std::vector<column> read_csv(const std::string& path);

/// The record of a run from the files that write_results() left in the folder. Throws io_error when
/// result.json or another file is missing or is none of ours.
run_record read_results(const std::string& folder);

}  // namespace spillway
