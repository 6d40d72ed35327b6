#pragma once
#include <spillway/tb/report/chart.hpp>
#include <spillway/tb/report/record.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A figure with its name and what is said below it.
struct picture {
  std::string name;     ///< for a file: letters, digits and underscores
  std::string caption;  ///< what to see, in a sentence or two
  figure drawing;
  bool over_time = false;  ///< curves, or rows of cells, over the cycles of the run
};

/// What a row of an occupancy is called by its labels: `stage` of `network 1 stage 3`.
std::string word_of_rows(const std::vector<std::string>& labels);

/// The pictures of a run: packets over time, occupancy by stage, or what the topology has, and time, latency
/// histogram, and those of its measurements. Those that have no data are left out.
/// @param points most points of a curve: more cannot be told apart in a still picture
std::vector<picture> run_pictures(const run_record& record, std::size_t points = 400);

}  // namespace spillway
