#pragma once
#include <CLI/CLI.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/tb/command/command.hpp>
#include <spillway/tb/experiment/experiment.hpp>
#include <string>
#include <vector>

/// The commands of one experiment, and those about the program itself; not for users of the library.
namespace spillway {

/// What the commands that take one experiment have in common.
struct experiment_arguments {
  std::string file;  ///< a path, the name of a shipped one, or `-`: standard input
  std::vector<std::string> overrides;
  std::string seed;
};

void add_arguments(CLI::App* command, experiment_arguments& a);
/// Throws config_error.
document load(const experiment_arguments& a, const catalogue& all);

/// Throws config_error if what is to be written is what the experiment is read from. @param option that names
/// it
void check_not_read(const std::string& option, const std::string& written, const document& experiment);

/// What `run` takes; `check` takes the same, and says what it would do.
struct run_arguments {
  experiment_arguments experiment;
  std::string out, vcd, fst, packets, kernel;
  unsigned threads = 0;  ///< 0: as the experiment says
  bool deliveries = false, no_report = false, quiet = false, json = false;
};

/// `run` and `check`.
void add_run_commands(CLI::App& app, int& status, const catalogue& all);
void add_graph_command(CLI::App& app, int& status, const catalogue& all);
void add_list_command(CLI::App& app, int& status, const catalogue& all);

/// What run_experiment() would do with the experiment, and what would be kept, in lines.
std::string in_words(const experiment& e, const document& file, const run_arguments& a, const catalogue& all);

/// Reads a file of a command line; `-` is standard input, whose file names are as seen from the current
/// folder. @param folder, what see shipped_files. Throws config_error.
document load_named(const std::string& name, const std::string& folder, const std::string& what,
                    const nlohmann::json& schema, const std::vector<std::string>& overrides);

}  // namespace spillway
