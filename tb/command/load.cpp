#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/yaml_reader.hpp>
#include <spillway/tb/command/commands.hpp>
#include <spillway/tb/command/shipped.hpp>
#include <spillway/tb/report/written_files.hpp>

namespace spillway {

namespace {

std::string read_standard_input() {
  std::string text;
  std::array<char, 4096> part;
  while (const std::size_t got = std::fread(part.data(), 1, part.size(), stdin)) {
    text.append(part.data(), got);
    if (text.size() > max_yaml_bytes) throw config_error("standard input: found more than 16 MiB");
  }
  if (std::ferror(stdin)) throw config_error("standard input: cannot be read");
  return text;
}

}  // namespace

document load_named(const std::string& name, const std::string& folder, const std::string& what,
                    const nlohmann::json& schema, const std::vector<std::string>& overrides) {
  if (name == "-") return load_document_text(read_standard_input(), "standard input", schema, overrides);
  return load_document(shipped_files(folder, what).find(name).string(), schema, overrides);
}

void add_arguments(CLI::App* command, experiment_arguments& a) {
  command
      ->add_option("experiment", a.file,
                   "experiment file (YAML), name of a shipped one, or - for standard input")
      ->required()
      ->type_name("EXPERIMENT");
  command->add_option("--set", a.overrides, "override a key: traffic.0.rate=0.3")
      ->take_all()
      ->type_name("KEY=VALUE");
  command->add_option("--seed", a.seed, "seed of all random streams (default: as the experiment says, or 1)")
      ->type_name("N");
}

document load(const experiment_arguments& a, const catalogue& all) {
  std::vector<std::string> overrides = a.overrides;
  if (!a.seed.empty()) overrides.push_back("seed=" + a.seed);
  return load_named(a.file, "experiments", "experiment", experiment_schema(all), overrides);
}

void check_not_read(const std::string& option, const std::string& written, const document& experiment) {
  if (const std::string reader = reader_of(written, experiment); !reader.empty())
    throw config_error(
        fmt::format("{}: found '{}', which is read as {}, expected another file", option, written, reader));
}

}  // namespace spillway
