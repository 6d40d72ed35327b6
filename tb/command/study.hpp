#pragma once
#include <algorithm>
#include <filesystem>
#include <optional>
#include <spillway/platforms/config/document.hpp>
#include <spillway/tb/built_in/built_in.hpp>
#include <spillway/tb/report/pictures.hpp>
#include <spillway/tb/sweep/join.hpp>
#include <spillway/tb/sweep/slurm_engine.hpp>
#include <string>
#include <thread>
#include <vector>

/// What the commands that make many runs share; not for users of the library.
namespace spillway {

struct study_arguments {
  std::vector<std::string> names;
  std::vector<std::string> overrides;
  std::string out, kept, pictures, over = "traffic.0.rate=0.05:1:0.05", engine = "local";
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool retry = false, quick = false, list = false, list_commands = false, task = false, quiet = false;
  slurm_options slurm;
  std::optional<std::size_t> index, search;
  std::size_t first = 0;  ///< of the plan's runs, that of task 0
  unsigned seeds = 1;
};

/// Prints what went wrong. Returns 0 if nothing did, 1 if a run found a fault, 2 if one failed, 130 if one
/// has not been run.
int settle(const plan_folder& plan, std::size_t first, std::size_t last);

/// What only Slurm knows is not for another engine. Throws config_error.
void check_engine(const study_arguments& a);

/// Runs what is open of a plan and joins the results, unless that is left to others. Returns the exit status.
int carry_out(const plan_folder& plan, const study_arguments& a);

/// Writes the pictures as SVG files; says so once if gnuplot is not there.
void write_pictures(const std::filesystem::path& folder, const std::vector<picture>& pictures);

std::vector<picture> draw_all(const nlohmann::json& wanted, const plan_folder& plan,
                              const result_table& results);

/// What can be known to be wrong in pictures before anything runs. Throws config_error.
void check_pictures(const nlohmann::json& wanted, const plan_folder& plan);

/// Two pictures of one name would be one file. Throws config_error.
void check_names(const document& file);

/// `spillway compare`. Returns the exit status.
int compare(const study_arguments& a, const catalogue& all);

/// `spillway curve`. Returns the exit status.
int curve(const study_arguments& a, const catalogue& all);

/// `spillway reproduce`. Returns the exit status.
int reproduce(const study_arguments& a, const catalogue& all);

}  // namespace spillway
