#pragma once
#include <spillway/tb/report/chart.hpp>
#include <spillway/tb/report/record.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A figure with its name and what is said below it.
struct picture {
  std::string name;     ///< for a file: letters and underscores
  std::string caption;  ///< what to see, in a sentence or two
  figure drawing;
};

/// The pictures of a run: packets over time, occupancy by stage and time, latency histogram, and those of its
/// measurements. Those that have no data are left out.
std::vector<picture> run_pictures(const run_record& record);

}  // namespace spillway
