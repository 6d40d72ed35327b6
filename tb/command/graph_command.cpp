#include <fmt/format.h>

#include <array>
#include <boost/range/iterator_range.hpp>
#include <cstdio>
#include <filesystem>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/tb/command/commands.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/program.hpp>
#include <spillway/tb/report/text.hpp>

namespace spillway {

namespace {

using nlohmann::ordered_json;

struct graph_arguments {
  experiment_arguments experiment;
  std::string target = "-", format;
  bool json = false;
};

constexpr std::array formats{"txt", "graphml", "dot", "svg", "pdf", "png"};

/// Has Graphviz draw a graph.
std::string draw_graph(const std::string& dot, const std::string& format) {
  const program_result drawn = run_program({"dot", "-T" + format}, dot);
  if (drawn.missing) throw io_error("Graphviz's `dot`, which draws the graph, is not installed");
  if (drawn.status != 0)
    throw io_error("Graphviz's `dot` could not draw the graph: " + one_line(drawn.errors));
  return drawn.output;
}

/// What the name ends in; an edge list for standard output.
std::string format_of(const graph_arguments& a) {
  if (!a.format.empty()) return a.format;
  if (a.target == "-") return "txt";
  const std::string ending = std::filesystem::path(a.target).extension().string();
  for (const char* one : formats)
    if (ending == '.' + std::string(one)) return one;
  throw config_error(fmt::format("-o: expected a file that ends in .{}, found '{}' (or say --format)",
                                 fmt::join(formats, ", ."), a.target));
}

std::string as_json(const topology& t) {
  const graph& g = t.g;
  ordered_json vertices = ordered_json::array(), links = ordered_json::array();
  const auto name = [&g](graph::vertex_descriptor v) {
    return (g[v].role == vertex::terminal ? 't' : 's') + std::to_string(g[v].index);
  };
  for (const auto v : boost::make_iterator_range(boost::vertices(g))) {
    ordered_json one{{"name", name(v)}, {"role", g[v].role == vertex::terminal ? "terminal" : "switch"}};
    if (g[v].role == vertex::switch_) one["stage"] = g[v].stage;
    vertices.push_back(std::move(one));
  }
  for (const auto e : boost::make_iterator_range(edges(g)))
    links.push_back({{"from", name(boost::source(e, g))},
                     {"from_port", g[e].from_port},
                     {"to", name(boost::target(e, g))},
                     {"to_port", g[e].to_port}});
  return ordered_json{{"vertices", std::move(vertices)}, {"links", std::move(links)}}.dump(1) + '\n';
}

int graph_of(const graph_arguments& a, const catalogue& all) {
  const std::string format = a.json ? "json" : format_of(a);
  const document file = load(a.experiment, all);
  if (a.target != "-") check_not_read("-o", a.target, file);
  const experiment e = read_experiment(file, all);
  const topology& shape = e.network.shape;
  const bool drawn = format == "svg" || format == "pdf" || format == "png";
  std::string text = a.json ? as_json(shape) : graph_text(shape, "network." + (drawn ? "dot" : format));
  if (drawn) text = draw_graph(text, format);
  if (a.target != "-")
    write_file(a.target, text);
  else if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw io_error("standard output: cannot write all of it");
  return 0;
}

}  // namespace

void add_graph_command(CLI::App& app, int& status, const catalogue& all) {
  const auto a = std::make_shared<graph_arguments>();
  CLI::App* const command =
      app.add_subcommand("graph", "write the topology: a picture, a graph file, or a list of its links");
  add_arguments(command, a->experiment);
  command
      ->add_option("-o,--out,--output", a->target,
                   "file to write, or - for standard output; its ending says how")
      ->type_name("FILE")
      ->capture_default_str();
  CLI::Option* const format =
      command->add_option("--format", a->format, "how, whatever the file is called (default: txt for -)")
          ->type_name(fmt::format("{{{}}}", fmt::join(formats, ",")))
          ->check(CLI::IsMember(std::vector<std::string>(formats.begin(), formats.end())).description(""));
  command->add_flag("--json", a->json, "write vertices and links as a JSON document")->excludes(format);
  command->callback([a, &status, &all] { status = graph_of(*a, all); });
}

}  // namespace spillway
