#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/elaborate/certify_network.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <spillway/platforms/elaborate/objection.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <spillway/tb/built_in/advice.hpp>
#include <spillway/tb/command/commands.hpp>
#include <spillway/tb/command/interrupt.hpp>
#include <spillway/tb/command/shipped.hpp>
#include <spillway/tb/experiment/run.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/progress.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/write_results.hpp>
#include <spillway/tb/report/written_files.hpp>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// An experiment with what `run` sets in it; a waveform has it run on signals, a record of packets by one
/// thread.
struct planned_experiment {
  document file;
  experiment e;
  kernel wanted;        ///< what the file says
  bool wanted_threads;  ///< more than one
};

/// Why it is stepped by one thread although more are wanted; empty: it is not.
std::string why_one_thread(const planned_experiment& p) {
  const bool recorded = !p.e.packets.file.empty();
  return recorded && p.wanted_threads ? "a record of packets is made by one thread" : "";
}

/// Whether the file is one of the results that a run keeps in the folder.
bool is_result(const std::string& file, const std::string& folder) {
  return std::any_of(result_files.begin(), result_files.end(),
                     [&](const char* name) { return same_file(file, (fs::path(folder) / name).string()); });
}

/// Results take the place of nothing that the run reads or writes besides; the experiment may be the one that
/// is kept with them.
void check_folder(const document& file, const std::string& folder) {
  if (folder.empty()) return;
  for (const auto& at : file.file_names())
    if (const auto name = file.root.at(at).get<std::string>(); is_result(file.resolve(name).string(), folder))
      file.fail(at,
                fmt::format("found '{}' among the results that --out {} replaces, expected another folder",
                            name, folder));
  for (const written_file& one : written_files(file.root))
    if (is_result(one.name, folder))
      file.fail(one.at,
                fmt::format("found '{}', which is one of the results of --out {}, expected another file",
                            one.name, folder));
}

/// Whether the folder is there, or will be, as results are kept in it or below.
bool has_place(const fs::path& folder, const std::string& results) {
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) return true;
  if (results.empty()) return false;
  const fs::path below = fs::weakly_canonical(fs::absolute(results), ignored).lexically_relative(folder);
  return !below.empty() && *below.begin() != "..";
}

/// What the run writes besides its results has a place.
void check_places(const document& file, const std::string& results) {
  std::error_code ignored;
  for (const written_file& one : written_files(file.root)) {
    const fs::path name = fs::weakly_canonical(fs::absolute(one.name), ignored);
    if (fs::is_directory(name, ignored))
      file.fail(one.at, fmt::format("found '{}', which is a folder, expected the name of a file", one.name));
    if (!has_place(name.parent_path(), results))
      file.fail(one.at, fmt::format("found '{}', expected a file in a folder that is there", one.name));
  }
}

planned_experiment planned(const run_arguments& a, const catalogue& all) {
  if (a.deliveries && a.out.empty()) throw config_error("--deliveries needs --out DIR");
  experiment_arguments file = a.experiment;
  const auto set = [&file](const char* key, const std::string& value) {
    if (!value.empty()) file.overrides.push_back(key + ('=' + value));
  };
  const auto set_file = [&set](const char* key, const char* option, const std::string& name) {
    try {
      set(key, name.empty() ? "" : nlohmann::json(name).dump());
    } catch (const nlohmann::json::exception&) {
      throw config_error(fmt::format("{}: expected a name in UTF-8, found '{}'", option, one_line(name)));
    }
  };
  set("kernel", a.kernel);
  set_file("trace.vcd", "--vcd", a.vcd);
  set_file("trace.fst", "--fst", a.fst);
  set_file("trace.packets", "--trace", a.packets);
  document read = load(file, all);
  experiment e = read_experiment(read, all);
  check_folder(read, a.out);
  check_places(read, a.out);
  const kernel wanted = e.network.config.runs_on;
  if (a.threads) e.network.config.threads = a.threads;
  if (!e.trace.file.empty()) e.network.config.runs_on = kernel::signals;
  const bool threads = e.network.config.threads > 1;
  if (!e.packets.file.empty()) e.network.config.threads = 1;
  return {std::move(read), std::move(e), wanted, threads};
}

/// Only signals have a waveform; empty if that changes nothing.
std::string why_signals(const planned_experiment& p) {
  if (p.e.network.config.runs_on == p.wanted) return {};
  return fmt::format("signals in place of {}, as a waveform needs them: slower, with the same results",
                     name_of(p.wanted));
}

/// The experiment as it ran, to be run again; no name in it tells where on this machine that was.
/// @param interfaces its section `interface`, with what input files say
std::string kept_configuration(document file, const nlohmann::json& interfaces, const std::string& folder) {
  file.modeline_schema.clear();
  file.root["interface"] = interfaces;
  auto& trace = file.root.at("trace");
  for (const char* key : {"vcd", "fst", "packets"})
    if (trace.contains(key))
      trace[key] = fs::proximate(fs::absolute(trace[key].get<std::string>())).generic_string();
  return file.to_yaml(folder);
}

/// Of a confidence interval of 95 %, if there is one.
std::string half_width(double value, int digits) {
  return std::isfinite(value) ? fmt::format(" ± {:.{}f}", value, digits) : "";
}

/// In the unit of a traffic's rate, and in packets; replies, which nobody's rate offers, apart.
void print_load(const run_record& r) {
  fmt::print("  throughput {:.4f} of {:.4f} flits/cycle/terminal offered; {:.4f}{} of {:.4f} packets{}\n",
             r.throughput_flits, r.offered_flits, r.throughput, half_width(r.confidence.throughput, 4),
             r.offered, r.saturated ? " (saturated)" : "");
  if (const auto reply = r.classes.find("reply"); reply != r.classes.end())
    fmt::print("             {:.4f} of {:.4f} flits, {:.4f} of {:.4f} packets of them replies\n",
               reply->second.load.throughput_flits, reply->second.load.offered_flits,
               reply->second.load.throughput, reply->second.load.offered);
}

void print_summary(const run_record& r) {
  // What waited at a source when a reset came is gone.
  const std::uint64_t wait = r.reset_dropped || r.created < r.injected ? 0 : r.created - r.injected;
  say(fmt::format("{}: {} after {} cycles on the {} kernel, {} of {} packets delivered{}\n", r.name, r.status,
                  r.cycles, r.kernel, r.delivered, r.injected,
                  wait ? fmt::format("; {} more have not entered the network", wait) : ""));
  if (std::isnan(r.throughput))
    fmt::print("  throughput nothing was measured: the run ended before measure.warmup\n");
  else
    print_load(r);
  if (std::isnan(r.latency.mean))
    fmt::print("  latency    no packet of the measured part was delivered\n");
  else
    fmt::print("  latency    mean {:.2f}{}, p99 {:.0f}, max {:.0f} cycles; in the network mean {:.2f}\n",
               r.latency.mean, half_width(r.confidence.latency, 2), r.latency.p99, r.latency.max,
               r.network_latency.mean);
  if (const breakdown_record& b = r.breakdown; b.packets)
    fmt::print(
        "  time       source {:.2f}, interface {:.2f}, switches {:.2f}, links {:.2f}, arrival {:.2f} "
        "cycles\n",
        b.source, b.interface, b.switches, b.links, b.arrival);
  if (r.warmup_found) fmt::print("  warm-up    {} cycles, by MSER-5\n", r.measured_from);
  if (!r.confidence.warning.empty()) say(fmt::format("  warning    {}\n", r.confidence.warning));
  if (r.threads > 1) fmt::print("  threads    {}\n", r.threads);
  if (!r.why_fewer_threads.empty()) say(fmt::format("  threads    {}: {}\n", r.threads, r.why_fewer_threads));
  for (const std::string& finding : r.findings) say(fmt::format("  {}\n", finding));
}

void print_outcome(const run_record& record, const planned_experiment& p, const run_arguments& a) {
  print_summary(record);
  if (const std::string why = why_signals(p); !why.empty()) fmt::print("  kernel     {}\n", why);
  if (a.out.empty())
    fmt::print("  kept       nothing: --out DIR keeps the results and a report\n");
  else if (!a.no_report)
    say(fmt::format("  report     {}\n", (fs::path(a.out) / "report.html").string()));
  const waveform_config& trace = p.e.trace;
  if (!trace.file.empty() && record.cycles > trace.from)
    say(fmt::format("  waveform   {}\n", trace.file.string()));
}

/// A run that is told to be quiet still says what went wrong.
void complain_of(const run_record& record) {
  if (record.status == "ok") return;
  complain(fmt::format("{}: {}", record.name, record.status));
  for (const std::string& finding : record.findings) complain("  " + finding);
}

/// To check and to make: a second or more.
bool takes_long(const network_plan& network) { return network.shape.switches.size() > 2000; }

int run(const run_arguments& a, const catalogue& all) {
  planned_experiment p = planned(a, all);
  const document& file = p.file;
  experiment& e = p.e;
  const interface_entry& interface = all.of<interface_entry>().chosen(e.network.config.interfaces);
  if (!interface.takes_workload())
    file.fail(nlohmann::json::json_pointer("/interface/kind"),
              fmt::format("'{}' needs a program that drives it: see docs/cosimulation.md", interface.name()));
  const std::uint64_t known_end = e.measure.cycles ? e.measure.warmup + e.measure.cycles : 0;
  progress bar(known_end);
  if (takes_long(e.network)) bar.say("checking the network");
  check_network(e.network, all, file);
  e.config_yaml = kept_configuration(file, e.network.config.interfaces, a.out);
  run_options options;
  std::optional<atomic_file> deliveries;
  if (!a.out.empty()) {
    make_folder(a.out);
    if (a.deliveries) deliveries.emplace((fs::path(a.out) / "deliveries.csv").string());
  }
  if (deliveries) options.deliveries = &*deliveries;
  options.progress = [&bar](std::uint64_t cycle, std::uint64_t) { bar.update(cycle); };
  const interrupt_guard guard;
  options.stop = &interrupt_guard::flag();
  options.history = !a.out.empty() && !a.no_report;
  if (takes_long(e.network)) bar.say("making the network");
  run_record record;
  try {
    record = run_experiment(e, all, options);
  } catch (const objection_error& error) {
    file.fail(nlohmann::json::json_pointer(error.at()), error.what());
  }
  if (record.why_fewer_threads.empty()) record.why_fewer_threads = why_one_thread(p);
  bar.finish();
  if (!a.out.empty()) write_results(a.out, record, !a.no_report, options.deliveries);
  if (a.json)
    fmt::print("{}", result_json(record));
  else if (a.quiet)
    complain_of(record);
  else
    print_outcome(record, p, a);
  if (record.status == "interrupted") return 130;
  return record.status == "ok" ? 0 : 1;
}

/// Writes the proof that the network is free of deadlock. Throws config_error if there is none.
void write_certificate(const std::string& target, const document& file, const network_plan& network,
                       const catalogue& all) {
  if (target.empty()) return;
  check_not_read("--certificate", target, file);
  if (network.config.level != abstraction::pins)
    file.fail(nlohmann::json::json_pointer("/level"), "only networks with pins have channels to certify");
  std::string text;
  try {
    text = certify_network(network, all);
  } catch (const std::logic_error& error) {
    file.fail(nlohmann::json::json_pointer("/routing"), error.what());
  }
  write_file(target, text);
}

/// What `check` finds: `text` for people, `facts` as JSON.
struct verdict {
  std::string text;
  ordered_json facts;
  bool sound = true;
};

ordered_json facts_of(const analysis& found) {
  return {{"pairs", found.pairs},
          {"unreachable", found.unreachable},
          {"diameter", found.diameter},
          {"mean_hops", found.mean_hops},
          {"max_ports", found.max_ports},
          {"bisection", found.bisection ? ordered_json(found.bisection) : ordered_json()},
          {"deadlock_free", found.deadlock_free()},
          {"cycle", found.cycle},
          {"sampled", found.sampled}};
}

/// What is to be said of switches that leave ways idle which the routing allows; empty: nothing.
std::string crowding_of(const document& file, const network_plan& network, const analysis& found,
                        const catalogue& all) {
  const platform_config& config = network.config;
  const switch_entry& switches = all.of<switch_entry>().chosen(config.switches);
  if (found.several.empty() || !switches.takes_the_lowest(config.switches)) return {};
  return file.remark(nlohmann::json::json_pointer("/switch"),
                     "such switches take the lowest of several allowed outputs, for all packets, and leave "
                     "the others idle: expected a routing that allows one, found " +
                         found.several);
}

verdict judge(const planned_experiment& p, const analysis_options& options, const catalogue& all) {
  const network_plan& network = p.e.network;
  const size_estimate estimate = estimate_network(p.file, network, all);
  verdict v;
  ordered_json& facts = v.facts;
  const auto about = [&](double terminals, double switches, double links, double bytes) {
    facts["terminals"] = static_cast<std::uint64_t>(terminals);
    facts["switches"] = static_cast<std::uint64_t>(switches);
    facts["links"] = static_cast<std::uint64_t>(links);
    facts["bytes"] = static_cast<std::uint64_t>(bytes);
  };
  if (network.config.level != abstraction::pins) {
    about(estimate.size.terminals, estimate.size.switches, estimate.size.links, estimate.bytes);
    v.text = fmt::format("estimate: {:.0f} terminals, {:.0f} switches without pins, {:.1f} MiB\n",
                         estimate.size.terminals, estimate.size.switches, estimate.bytes / (1024 * 1024));
    return v;
  }
  const analysis found = analyse_network(network, all, options);
  const advice said = advice_of(p.e, all, found);
  const double bytes = estimate.bytes + buffer_bytes(network, all);
  const auto links = num_edges(network.shape.g);
  about(static_cast<double>(network.shape.terminals.size()),
        static_cast<double>(network.shape.switches.size()), static_cast<double>(links), bytes);
  facts["analysis"] = facts_of(found);
  facts["advice"] = said.text;
  const std::string crowded = crowding_of(p.file, network, found, all);
  if (!crowded.empty()) facts["warning"] = crowded;
  v.text = fmt::format("{}{}{}estimate: {} switches, {} links, {:.1f} MiB\n{}", describe(found),
                       describe_latency(network, all), said.text, network.shape.switches.size(), links,
                       bytes / (1024 * 1024), crowded.empty() ? "" : "warning: " + crowded + '\n');
  v.sound = found.sound() && said.sound;
  return v;
}

int check(const run_arguments& a, const std::string& proof, bool every, const catalogue& all) {
  const planned_experiment p = planned(a, all);
  progress bar(0);
  if (takes_long(p.e.network)) bar.say("checking the network");
  check_blocks(p.e.network, all, p.file);
  write_certificate(proof, p.file, p.e.network, all);
  analysis_options options;
  if (every) options.most = analysis_options::all_pairs;
  options.certified = !proof.empty();
  const verdict v = judge(p, options, all);
  bar.finish();
  std::string words = in_words(p.e, p.file, a, all);
  if (const std::string why = why_signals(p); !why.empty()) words += "  kernel: " + why + '\n';
  if (const std::string why = why_one_thread(p); !why.empty()) words += "  threads: 1: " + why + '\n';
  if (a.json) {
    ordered_json out{{"name", p.e.name}, {"sound", v.sound}};
    out.update(v.facts);
    out["seed"] = p.e.seed;
    out["kernel"] = name_of(p.e.network.config.runs_on);
    out["level"] = name_of(p.e.network.config.level);
    out["plan"] = words;
    if (!proof.empty()) out["certificate"] = proof;
    fmt::print("{}\n", out.dump(2, ' ', false, ordered_json::error_handler_t::replace));
  } else if (!a.quiet) {
    if (!proof.empty()) say(fmt::format("certificate: {}\n", proof));
    fmt::print("{}", v.text);
    say(words);
  } else if (!v.sound) {
    complain(v.text);
  }
  return v.sound ? 0 : 1;
}

void add_run_arguments(CLI::App* command, run_arguments& a) {
  add_arguments(command, a.experiment);
  command
      ->add_option("-o,--out", a.out,
                   "folder for result.json, series.csv, report.html, config.yaml (default: nothing is kept)")
      ->type_name("DIR");
  command->add_option("--vcd", a.vcd, "waveform file; runs on the signals kernel, whatever --kernel says")
      ->type_name("FILE");
  command->add_option("--fst", a.fst, "the same in GTKWave's compressed format, where the build can write it")
      ->type_name("FILE");
  command->add_option("--trace", a.packets, "record of all packets' ways, a JSON file that Perfetto opens")
      ->type_name("FILE");
  command
      ->add_option("--kernel", a.kernel,
                   "doubting: fast, with a check that blocks sleep only when they may (default: as the "
                   "experiment says, or fast)")
      ->type_name("{fast,signals,doubting}");
  command
      ->add_option("--threads", a.threads,
                   "of the fast kernel, each for a part of the network; the results are the same (default: "
                   "as the experiment says, or 1)")
      ->check(CLI::Range(1u, 64u).description("1..64"))
      ->type_name("N");
  command->add_flag("--deliveries", a.deliveries, "write deliveries.csv, a line a delivered packet");
  command->add_flag("--no-report", a.no_report, "write no report.html");
  command->add_flag("-q,--quiet", a.quiet, "print nothing but faults");
}

}  // namespace

void add_run_commands(CLI::App& app, int& status, const catalogue& all) {
  const auto a = std::make_shared<run_arguments>();
  CLI::App* const run_command = app.add_subcommand("run", "run an experiment");
  add_run_arguments(run_command, *a);
  run_command->add_flag("--json", a->json, "print what result.json has, and nothing else");
  run_command->callback([a, &status, &all] { status = run(*a, all); });

  CLI::App* const check_command = app.add_subcommand(
      "check", "validate an experiment, analyse its graph, and say what `run` would do; run nothing");
  add_run_arguments(check_command, *a);
  const auto proof = std::make_shared<std::string>();
  check_command
      ->add_option("--certificate", *proof,
                   "file for a proof that nothing deadlocks, which spillway-certify verifies")
      ->type_name("FILE");
  const auto every = std::make_shared<bool>(false);
  check_command->add_flag("--all-routes", *every,
                          "follow every route, also of a network so large that a sample is usual");
  check_command->add_flag("--json", a->json, "print what was found as a JSON document, and nothing else");
  check_command->callback([=, &status, &all] { status = check(*a, *proof, *every, all); });
}

}  // namespace spillway
