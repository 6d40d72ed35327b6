#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/config/schema_view.hpp>
#include <spillway/platforms/elaborate/certify_network.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <spillway/tb/bench/bench.hpp>
#include <spillway/tb/built_in/advice.hpp>
#include <spillway/tb/built_in/bench_sections.hpp>
#include <spillway/tb/command/command.hpp>
#include <spillway/tb/command/interrupt.hpp>
#include <spillway/tb/command/shipped.hpp>
#include <spillway/tb/command/studies.hpp>
#include <spillway/tb/experiment/run.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/program.hpp>
#include <spillway/tb/report/progress.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/write_results.hpp>
#include <spillway/tb/theory/theory.hpp>

namespace spillway {

namespace {

namespace fs = std::filesystem;

struct run_arguments {
  std::string file;
  std::vector<std::string> overrides;
  std::string out, vcd, packets, kernel;
  std::string seed, threads;
  bool deliveries = false, no_report = false;
};

document load(const run_arguments& a, const catalogue& all) {
  std::vector<std::string> overrides = a.overrides;
  if (!a.seed.empty()) overrides.push_back("seed=" + a.seed);
  if (!a.kernel.empty()) overrides.push_back("kernel=" + a.kernel);
  if (!a.threads.empty()) overrides.push_back("threads=" + a.threads);
  if (!a.vcd.empty()) overrides.push_back("trace.vcd=" + nlohmann::json(a.vcd).dump());
  if (!a.packets.empty()) overrides.push_back("trace.packets=" + nlohmann::json(a.packets).dump());
  return load_document(shipped_files("experiments", "experiment").find(a.file).string(),
                       experiment_schema(all), overrides);
}

void print_summary(const run_record& r) {
  say(fmt::format("{}: {} after {} cycles on the {} kernel, {} of {} packets delivered\n", r.name, r.status,
                  r.cycles, r.kernel, r.delivered, r.injected));
  if (std::isnan(r.throughput))
    fmt::print("  throughput nothing was measured: the run ended before measure.warmup\n");
  else
    fmt::print("  throughput {:.4f} packets/cycle/terminal of {:.4f} offered{}\n", r.throughput, r.offered,
               r.saturated ? " (saturated)" : "");
  if (std::isnan(r.latency.mean))
    fmt::print("  latency    no packet of the measured part was delivered\n");
  else
    fmt::print("  latency    mean {:.2f}, p99 {:.0f}, max {:.0f} cycles; in the network mean {:.2f}\n",
               r.latency.mean, r.latency.p99, r.latency.max, r.network_latency.mean);
  if (r.threads > 1) fmt::print("  threads    {}\n", r.threads);
  if (!r.why_fewer_threads.empty()) say(fmt::format("  threads    {}: {}\n", r.threads, r.why_fewer_threads));
  for (const std::string& finding : r.findings) say(fmt::format("  {}\n", finding));
}

int run(const run_arguments& a, const catalogue& all) {
  const document file = load(a, all);
  experiment e = read_experiment(file, all);
  const interface_entry& interface = all.of<interface_entry>().chosen(e.network.config.interfaces);
  if (!interface.takes_workload())
    file.fail(nlohmann::json::json_pointer("/interface/kind"),
              fmt::format("'{}' needs a program that drives it: see docs/cosimulation.md", interface.name()));
  check_network(e.network, all, file);
  if (!e.trace.file.empty()) e.network.config.runs_on = kernel::signals;
  if (!e.packets.file.empty() && e.network.config.threads > 1)
    file.fail(nlohmann::json::json_pointer("/threads"),
              "a record of packets is made by one thread, found " + std::to_string(e.network.config.threads));
  e.config_yaml = file.to_yaml(a.out);
  run_options options;
  std::optional<atomic_file> deliveries;
  if (!a.out.empty()) {
    make_folder(a.out);
    if (a.deliveries) deliveries.emplace((fs::path(a.out) / "deliveries.csv").string());
  } else if (a.deliveries) {
    throw config_error("--deliveries needs --out DIR");
  }
  if (deliveries) options.deliveries = &*deliveries;
  const std::uint64_t known_end = e.measure.cycles ? e.measure.warmup + e.measure.cycles : 0;
  progress bar(known_end);
  options.progress = [&bar](std::uint64_t cycle, std::uint64_t) { bar.update(cycle); };
  const interrupt_guard guard;
  options.stop = &interrupt_guard::flag();
  const run_record record = run_experiment(e, all, options);
  bar.finish();
  if (!a.out.empty()) write_results(a.out, record, !a.no_report, options.deliveries);
  print_summary(record);
  if (!a.out.empty() && !a.no_report)
    say(fmt::format("  report     {}\n", (fs::path(a.out) / "report.html").string()));
  if (!e.trace.file.empty() && record.cycles > e.trace.from)
    say(fmt::format("  waveform   {}\n", e.trace.file.string()));
  else if (!e.trace.file.empty())
    fmt::print("  no waveform: the run ended before cycle {} (trace.from)\n", e.trace.from);
  if (record.status == "interrupted") return 130;
  return record.status == "ok" ? 0 : 1;
}

/// Writes the proof that the network is free of deadlock. Throws config_error if there is none.
void write_certificate(const std::string& target, const document& file, const network_plan& network,
                       const catalogue& all) {
  if (target.empty()) return;
  if (network.config.level != abstraction::pins)
    file.fail(nlohmann::json::json_pointer("/level"), "only networks with pins have channels to certify");
  std::string text;
  try {
    text = certify_network(network, all);
  } catch (const std::logic_error& error) {
    file.fail(nlohmann::json::json_pointer("/routing"), error.what());
  }
  write_file(target, text);
  say(fmt::format("certificate: {}\n", target));
}

int check(const run_arguments& a, const std::string& proof, bool every, const catalogue& all) {
  const document file = load(a, all);
  const experiment e = read_experiment(file, all);
  check_blocks(e.network, all, file);
  write_certificate(proof, file, e.network, all);
  const size_estimate estimate = estimate_network(file, e.network, all);
  if (e.network.config.level != abstraction::pins) {
    fmt::print("estimate: {:.0f} terminals, {:.0f} switches without pins, {:.1f} MiB\n",
               estimate.size.terminals, estimate.size.switches, estimate.bytes / (1024 * 1024));
    return 0;
  }
  const analysis found = analyse_network(e.network, all, every);
  const advice said = advice_of(e, all, found);
  fmt::print("{}{}{}", describe(found), describe_latency(e.network, all), said.text);
  fmt::print("estimate: {} switches, {} links, {:.1f} MiB\n", e.network.shape.switches.size(),
             num_edges(e.network.shape.g), (estimate.bytes + buffer_bytes(e.network, all)) / (1024 * 1024));
  return found.sound() && said.sound ? 0 : 1;
}

/// Has Graphviz draw a graph as SVG.
std::string draw_graph(const std::string& dot) {
  const program_result drawn = run_program({"dot", "-Tsvg"}, dot);
  if (drawn.missing) throw io_error("Graphviz's `dot`, which draws the graph, is not installed");
  if (drawn.status != 0)
    throw io_error("Graphviz's `dot` could not draw the graph: " + one_line(drawn.errors));
  return drawn.output;
}

int draw(const run_arguments& a, const std::string& target, const catalogue& all) {
  const experiment e = read_experiment(load(a, all), all);
  std::string text = graph_text(e.network.shape, target);
  if (fs::path(target).extension() == ".svg") text = draw_graph(text);
  write_file(target, text);
  return 0;
}

struct list_arguments {
  std::string section;
  bool reference = false, schema = false;
};

/// The kinds of a section, or those of them that a key chooses.
void list_kinds(const nlohmann::json& schema, const std::string& section, const std::string& key = {}) {
  std::string heading;
  for (const kind_info& k : spillway::kinds(schema, section)) {
    if (!key.empty() && k.key != key) continue;
    const std::string here = k.key.empty() || k.key == "kind" ? section : section + ' ' + k.key;
    if (here != heading) fmt::print("{}\n", here);
    heading = here;
    fmt::print("  {:<16} {}\n", k.name, k.description);
    for (const parameter_info& p : k.parameters)
      fmt::print("    {:<20} {}{}: {}\n", p.name, p.type,
                 p.required           ? ", required"
                 : p.fallback.empty() ? ""
                                      : ", default " + p.fallback,
                 p.description);
  }
}

/// The keys beside `kind` by which a section or its kinds choose, such as `pattern` or `arbiter`.
std::vector<std::string> other_keys(const nlohmann::json& schema, const std::string& section) {
  std::vector<std::string> keys;
  for (const kind_info& k : spillway::kinds(schema, section))
    if (!k.key.empty() && k.key != "kind" && std::find(keys.begin(), keys.end(), k.key) == keys.end())
      keys.push_back(k.key);
  return keys;
}

int list(const list_arguments& a, const catalogue& all) {
  const nlohmann::json schema = experiment_schema(all);
  if (a.reference) fmt::print("{}", schema_reference(schema));
  if (a.schema) fmt::print("{}", schema_text(schema));
  if (a.reference || a.schema) return 0;
  const std::vector<std::string> sections = sections_with_kinds(schema);
  std::vector<std::string> known = sections;
  for (const std::string& s : sections) {
    if (a.section.empty() || a.section == s) list_kinds(schema, s);
    for (const std::string& key : other_keys(schema, s)) {
      known.push_back(key);
      if (a.section == key) list_kinds(schema, s, key);
    }
  }
  if (!a.section.empty() && std::find(known.begin(), known.end(), a.section) == known.end())
    throw config_error(
        fmt::format("found no section '{}', expected one of {}", a.section, fmt::join(known, ", ")));
  return 0;
}

/// Says what is wrong; a standard error that is closed or full changes nothing.
void complain(std::string_view text) {
  const std::string line = visible(text) + '\n';
  std::fputs(line.c_str(), stderr);
}

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
       "  spillway run mine.yaml --set traffic.0.rate=0.4 --seed 2 --deliveries --out out/second"},
      {"check",
       "spillway check hotspot-butterfly\n  spillway check mine.yaml --certificate mine.certificate"},
      {"graph", "spillway graph mesh-3d -o mesh.svg\n  spillway graph mine.yaml -o mine.graphml"},
      {"list", "spillway list switch\n  spillway list --reference"},
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
      {"plot", "spillway plot out/first\n  spillway plot out/saturation"},
      {"reproduce", "spillway reproduce --list\n  spillway reproduce nifdy-pair --quick"},
  };
  for (const auto& [name, lines] : examples)
    app.get_subcommand(name)->footer("Examples:\n  " + std::string(lines));
}

}  // namespace

int command(int argc, char** argv, const catalogue& all) {
  // A limit on the size of files is then an error of the write, not the end of the program.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app{"Cycle-accurate models of interconnection networks that survive hot spots", "spillway"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "spillway " SPILLWAY_VERSION);
  app.footer("`spillway help COMMAND` tells the options of a command and two examples.");
  run_arguments a;
  int status = 0;

  const auto takes_experiment = [&a](CLI::App* sub) {
    sub->add_option("experiment", a.file, "experiment file (YAML), or name of a shipped one")->required();
    sub->add_option("--set", a.overrides, "override a key: traffic.0.rate=0.3")->take_all();
    sub->add_option("--seed", a.seed, "seed of all random streams");
  };
  CLI::App* const run_command = app.add_subcommand("run", "run an experiment");
  takes_experiment(run_command);
  run_command->add_option("-o,--out", a.out, "folder for result.json, series.csv, report.html, config.yaml");
  run_command->add_option("--vcd", a.vcd, "waveform file; runs on the signals kernel");
  run_command->add_option("--trace", a.packets,
                          "record of all packets' ways, a JSON file that Perfetto opens");
  run_command->add_option(
      "--kernel", a.kernel,
      "fast, signals, or doubting: fast, with a check that blocks sleep only when they may");
  run_command->add_option("--threads", a.threads,
                          "of the fast kernel, each for a part of the network; the results are the same");
  run_command->add_flag("--deliveries", a.deliveries, "write deliveries.csv, a line a delivered packet");
  run_command->add_flag("--no-report", a.no_report, "write no report.html");
  run_command->callback([&] { status = run(a, all); });

  CLI::App* const check_command =
      app.add_subcommand("check", "validate an experiment and analyse its graph; run nothing");
  takes_experiment(check_command);
  std::string proof;
  check_command->add_option("--certificate", proof,
                            "file for a proof that nothing deadlocks, which spillway-certify verifies");
  bool every = false;
  check_command->add_flag("--all-routes", every,
                          "follow every route, also of a network so large that a sample is usual");
  check_command->callback([&] { status = check(a, proof, every, all); });

  std::string target;
  CLI::App* const graph_command =
      app.add_subcommand("graph", "write the topology as .dot, .graphml, .svg or .txt");
  takes_experiment(graph_command);
  graph_command->add_option("-o,--output", target, "file to write")->required();
  graph_command->callback([&] { status = draw(a, target, all); });

  list_arguments listed;
  CLI::App* const list_command = app.add_subcommand("list", "what can be chosen, with each one's parameters");
  list_command->add_option("section", listed.section, "one of its sections, such as topology");
  list_command->add_flag("--reference", listed.reference, "every key of an experiment file, in Markdown");
  list_command->add_flag("--schema", listed.schema, "the JSON Schema of an experiment file");
  list_command->callback([&] { status = list(listed, all); });

  std::string model;
  std::vector<std::string> arguments;
  CLI::App* const theory_command = app.add_subcommand("theory", "the papers' formulas, as JSON");
  theory_command->add_option("model", model, "which; all are listed when it is left out");
  theory_command->add_option("arguments", arguments, "key=value ...");
  theory_command->callback([&] { status = evaluate(model, arguments); });

  add_study_commands(app, status, all);

  bench_options bench;
  CLI::App* const bench_command = app.add_subcommand("bench", "speed of the models on this machine");
  bench_command->add_flag("--json", bench.json, "print a list of objects");
  bench_command->add_flag("--quick", bench.quick, "smaller sizes, fewer cycles");
  bench_command->add_option("--case", bench.only, "one case, kernel:stages:rate:cycles, in this process");
  bench_command->callback([&] { status = run_bench(bench, bench_sections()); });

  std::string topic;
  CLI::App* const help_command = app.add_subcommand("help", "what a command does and takes");
  help_command->add_option("command", topic, "one of these");
  help_command->callback([&] {
    const CLI::App& what = topic.empty() ? app : subcommand(app, topic);
    fmt::print("{}", what.get_formatter()->make_help(&what, what.get_name(), CLI::AppFormatMode::Normal));
  });
  add_examples(app);

  try {
    if (argc > 1 && argv[1][0] != '-') subcommand(app, argv[1]);
    app.parse(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
      throw io_error("standard output: cannot write all of it");
    return status;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const config_error& error) {
    complain(error.what());
  } catch (const io_error& error) {
    complain(error.what());
  } catch (const sc_core::sc_report& report) {
    complain(report.what());
    return 1;
  } catch (const std::exception& error) {
    complain(std::string("spillway: ") + error.what());
  }
  return 2;
}

}  // namespace spillway
