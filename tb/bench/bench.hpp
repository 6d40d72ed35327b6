#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Cases of the bench that share a table.
struct bench_section {
  std::string prefix;  ///< what the names of its cases begin with, such as `circuit:`; empty: all others
  std::string header;  ///< of the table
  std::function<std::vector<std::string>(bool quick)> cases;
  /// Measures one case. Throws std::invalid_argument for a name that is none.
  std::function<nlohmann::json(const std::string& name)> measure;
  std::function<std::string(const nlohmann::json& result)> line;  ///< of the table
};

/// What `spillway bench` is told.
struct bench_options {
  bool json = false;   ///< a list of objects instead of a table
  bool quick = false;  ///< smaller networks and shorter runs
  std::string only;    ///< one case: run it in this process and print its object
};

/// Times the cases of all sections, each in a process of its own. Returns the exit status.
int run_bench(const bench_options& options, const std::vector<bench_section>& sections);

}  // namespace spillway
