#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/schema_view.hpp>
#include <spillway/tb/bench/bench.hpp>
#include <spillway/tb/built_in/bench_sections.hpp>
#include <spillway/tb/command/command.hpp>
#include <spillway/tb/command/commands.hpp>
#include <spillway/tb/command/manual.hpp>
#include <spillway/tb/command/studies.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/theory/theory.hpp>

namespace spillway {

namespace {

int theory_models_and_keys() {
  for (const theory::model& m : theory_models()) {
    fmt::print("{:<16} {}\n", m.name, m.description);
    for (const theory::parameter& key : m.parameters)
      fmt::print("  {:<22} {}{}\n", key.name, key.description, key.default_value ? "" : ", required");
  }
  return 0;
}

int evaluate(const std::string& model, const std::vector<std::string>& arguments) {
  if (model.empty()) return theory_models_and_keys();
  fmt::print("{}\n", evaluate_theory(model, arguments).dump(2));
  return 0;
}

/// Throws config_error, which tells the nearest.
CLI::App& subcommand(CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (CLI::App* const one : app.get_subcommands([](CLI::App*) { return true; })) {
    if (one->get_name() == name) return *one;
    names.push_back(one->get_name());
  }
  const std::string near = schema_detail::nearest(name, names);
  throw config_error(
      near.empty() ? fmt::format("found no command '{}', expected one of {}", name, fmt::join(names, ", "))
                   : fmt::format("found no command '{}', did you mean '{}'?", name, near));
}

void add_examples(CLI::App& app) {
  const std::pair<const char*, const char*> examples[] = {
      {"run",
       "spillway run hotspot-butterfly --out out/first\n"
       "  sed s/fifo/voq/ mine.yaml | spillway run - --set traffic.0.rate=0.4 --seed 2 --json"},
      {"check",
       "spillway check hotspot-butterfly --out out/first\n  spillway check mine.yaml --certificate "
       "mine.certificate"},
      {"graph", "spillway graph mesh-3d -o mesh.svg\n  spillway graph mine.yaml --format dot | less"},
      {"list", "spillway list switch wormhole\n  spillway list experiments --names"},
      {"help", "spillway help sweep\n  spillway help run --man | man -l -"},
      {"theory",
       "spillway theory\n  spillway theory hypercube network=bh D=8 d=3 lambda=0.5 alpha=0.75 h=0.04 "
       "mu_cl=1.4 mu_ncl=1.4"},
      {"bench", "spillway bench --quick\n  spillway bench --json"},
      {"compare",
       "spillway compare storm-plain storm-dampening --out out/storm\n"
       "  spillway compare out/first out/second"},
      {"curve",
       "spillway curve hotspot-butterfly --over traffic.0.rate=0.1:0.9:0.1\n"
       "  spillway curve mesh.yaml torus.yaml --set traffic.0.pattern=tornado --seeds 3"},
      {"sweep", "spillway sweep saturation -j 2\n  spillway sweep mine.yaml --engine slurm --dry-run"},
      {"plot", "spillway plot out/first\n  spillway plot out/saturation --pictures pictures.yaml"},
      {"reproduce", "spillway reproduce --list\n  spillway reproduce nifdy-pair --quick"},
  };
  for (const auto& [name, lines] : examples)
    app.get_subcommand(name)->footer(examples_heading + ("\n  " + std::string(lines)));
}

struct help_arguments {
  std::string topic, shell, folder;
  bool man = false;
};

void help(const help_arguments& a, CLI::App& app) {
  const std::string version = "spillway " SPILLWAY_VERSION;
  if (!a.folder.empty()) return write_manual(app, version, a.folder);
  if (!a.shell.empty()) {
    fmt::print("{}", completion(app, a.shell));
    return;
  }
  const CLI::App& what = a.topic.empty() ? app : subcommand(app, a.topic);
  const std::string name = a.topic.empty() ? app.get_name() : app.get_name() + ' ' + what.get_name();
  fmt::print("{}", a.man ? man_page(what, version)
                         : what.get_formatter()->make_help(&what, name, CLI::AppFormatMode::Normal));
}

constexpr const char* full_output = "standard output: cannot write all of it";

/// No exception would get through SystemC's kernel. Files that are half written go with the process.
[[noreturn]] void end_without_memory() {
  constexpr std::string_view words =
      "spillway: found no more memory, expected a smaller network, or a shorter run that keeps less\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, words.data(), words.size());
  std::_Exit(2);
}

/// `--out "$UNSET"` is a mistake, and not an option that is left out.
void refuse_empty_values(CLI::App& app) {
  CLI::Validator filled(
      [](const std::string& value) { return value.empty() ? "found an empty value, expected one" : ""; }, "");
  for (CLI::App* const command : app.get_subcommands({}))
    for (CLI::Option* const option : command->get_options())
      if (option->get_items_expected_max() > 0) option->check(filled);
}

}  // namespace

int command(int argc, char** argv, const catalogue& all) {
  // A limit on the size of files is then an error of the write, not the end of the program.
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_new_handler(end_without_memory);
  CLI::App app{"Cycle-accurate models of interconnection networks that survive hot spots", "spillway"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "spillway " SPILLWAY_VERSION);
  app.footer(
      "`spillway help COMMAND` tells the options of a command and two examples.\n"
      "Exit status: 0 all is well, 1 a run or a check found a fault, 2 wrong input, 130 interrupted.\n\n" +
      std::string(examples_heading) +
      "\n  spillway run hotspot-butterfly --out out/first\n  spillway check mine.yaml");
  int status = 0;
  add_run_commands(app, status, all);
  add_graph_command(app, status, all);
  add_list_command(app, status, all);

  std::string model;
  std::vector<std::string> arguments;
  CLI::App* const theory_command = app.add_subcommand("theory", "the papers' formulas, as JSON");
  theory_command->add_option("model", model, "which; all are listed when it is left out")->type_name("MODEL");
  theory_command->add_option("arguments", arguments, "of the model")->type_name("KEY=VALUE");
  theory_command->callback([&] { status = evaluate(model, arguments); });

  add_study_commands(app, status, all);

  bench_options bench;
  CLI::App* const bench_command = app.add_subcommand("bench", "speed of the models on this machine");
  bench_command->add_flag("--json", bench.json, "print a list of objects");
  bench_command->add_flag("--quick", bench.quick, "smaller sizes, fewer cycles");
  bench_command->add_option("--case", bench.only, "one case, kernel:stages:rate:cycles, in this process")
      ->type_name("CASE");
  bench_command->callback([&] { status = run_bench(bench, bench_sections()); });

  help_arguments asked;
  CLI::App* const help_command = app.add_subcommand("help", "what a command does and takes");
  help_command->add_option("command", asked.topic, "one of these")->type_name("COMMAND");
  help_command->add_flag("--man", asked.man, "as a page for man(1)");
  help_command->add_option("--completion", asked.shell, "print the completions for a shell")
      ->type_name(fmt::format("{{{}}}", fmt::join(shells, ",")))
      ->check(CLI::IsMember(shells).description(""));
  help_command
      ->add_option("--write", asked.folder,
                   "write all pages for man(1) and all completions, as a prefix's share/ has them")
      ->type_name("DIR");
  help_command->callback([&] { help(asked, app); });
  add_examples(app);
  refuse_empty_values(app);

  try {
    try {
      if (argc > 1 && argv[1][0] != '-') subcommand(app, argv[1]);
      app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      status = app.exit(error) == 0 ? 0 : 2;
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) throw io_error(full_output);
    return status;
  } catch (const config_error& error) {
    complain(error.what());
  } catch (const io_error& error) {
    complain(error.what());
  } catch (const sc_core::sc_report& report) {
    complain(report.what());
    return 1;
  } catch (const std::exception& error) {
    complain(std::ferror(stdout) ? full_output : std::string("spillway: ") + error.what());
  }
  return 2;
}

}  // namespace spillway
