#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <spillway/platforms/topology/estimate.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

namespace {

// Measured with SystemC 2.3.4: a module, a pin with its name and binding, an endpoint pair.
constexpr double module_bytes = 1000, pin_bytes = 520, terminal_bytes = 9000;
constexpr double link_bytes = 900, checker_bytes = 5000;
// Circuits have four wires a link instead of three; measured within 5 % on fat trees of 1024 to 4096
// terminals.
constexpr double circuit_link_bytes = 2600;
// Of the graph itself, measured within 15 % on omegas and meshes: a vertex with two lists, an edge in the
// list of edges and in two of vertices.
constexpr double vertex_bytes = 100, edge_bytes = 90;
// Measured: a terminal of the transaction level with its traffic and the book of its packets.
constexpr double transaction_terminal_bytes = 1600;

/// One switch a terminal; in each dimension a line of `d` has d - 1 neighbours, a ring d.
void add_grid(size_estimate& size, const nlohmann::json& dimensions, bool wraps, bool both_ways) {
  size.terminals = 1;
  for (const double d : dimensions) size.terminals *= d;
  size.switches = size.terminals;
  size.links = 2 * size.terminals;
  for (const double d : dimensions)
    if (d > 1) size.links += (both_ways ? 2 : 1) * size.terminals * (wraps ? 1 : (d - 1) / d);
}

/// A level has the switches of the one below, times their parents, divided by its children; each is joined
/// both ways to its parents. Returns the ports of the largest.
double add_xgft(size_estimate& size, const nlohmann::json& shape) {
  const auto children = shape.at("children").get<std::vector<double>>();
  const auto parents = shape.value("parents", std::vector<double>(children.begin() + 1, children.end()));
  size.terminals = std::accumulate(children.begin(), children.end(), 1.0, std::multiplies<>());
  double switches = size.terminals, ports = 0;
  size.links = 2 * size.terminals;
  for (std::size_t l = 0; l < children.size(); ++l) {
    const double above = l < parents.size() ? parents[l] : 0;
    switches *= (l ? parents[l - 1] : 1) / children[l];
    size.switches += switches;
    size.links += 2 * switches * above;
    ports = std::max(ports, children[l] + above);
  }
  return ports;
}

}  // namespace

size_estimate estimate_size(const nlohmann::json& shape, const nlohmann::json& switches, bool checkers) {
  const std::string kind = shape.at("kind");
  size_estimate size;
  double ports = 0;
  if (kind == "butterfly" || kind == "omega") {
    const double radix = shape.at("radix"), stages = shape.at("stages");
    const double lines = std::pow(radix, stages);
    size.terminals = shape.value("terminals", lines);
    size.switches = lines / radix * stages;
    size.links = lines * (stages - 1) + 2 * size.terminals;
    ports = radix;
  } else if (kind == "multibutterfly") {
    const double radix = shape.at("radix"), stages = shape.at("stages");
    size.terminals = std::pow(radix, stages);
    size.switches = size.terminals / radix * stages;
    ports = stages > 1 ? radix * shape.at("dilation").get<double>() : radix;
    size.links = size.terminals / radix * (stages - 1) * ports + 2 * size.terminals;
  } else if (kind == "xgft") {
    ports = add_xgft(size, shape);
  } else if (kind == "crossbar") {
    size.terminals = ports = shape.at("terminals");
    size.switches = 1;
    size.links = 2 * size.terminals;
  } else if (kind == "fat_tree") {
    size.terminals = shape.at("terminals");
    const double levels = std::log2(std::max(2.0, size.terminals));
    size.switches = levels * size.terminals / 2;
    size.links = 2 * levels * size.terminals;
    ports = 4;
  } else if (kind == "ring") {
    const bool both_ways = shape.value("bidirectional", true);
    ports = both_ways ? 3 : 2;
    add_grid(size, nlohmann::json::array({shape.at("terminals")}), true, both_ways);
  } else if (kind == "mesh" || kind == "torus") {
    ports = 1 + 2.0 * static_cast<double>(shape.at("dimensions").size());
    add_grid(size, shape.at("dimensions"), kind == "torus", true);
  }
  if (kind == "hypercube" || kind == "hierarchical_hypercube") {
    const double dimension = shape.at("dimension"), cluster = shape.value("cluster", dimension);
    const double joined = kind == "hypercube" ? 1 : std::exp2(-cluster);
    size.terminals = size.switches = std::exp2(dimension);
    size.links = size.terminals * (2 + cluster + (dimension - cluster) * joined);
    ports = size.links / size.terminals - 1;
  }
  const bool circuits = switches.value("kind", "packet") == "circuit";
  const double pins = ports * (circuits ? 8 : 6);
  const double a_link = (circuits ? circuit_link_bytes : link_bytes) + (checkers ? checker_bytes : 0);
  size.bytes = size.switches * (module_bytes + pins * pin_bytes) + size.terminals * terminal_bytes +
               size.links * a_link + (size.terminals + size.switches) * vertex_bytes +
               size.links * edge_bytes;
  return size;
}

size_estimate estimate_transactions(const nlohmann::json& shape) {
  size_estimate size = estimate_size(shape, nlohmann::json::object(), false);
  size.bytes = size.terminals * transaction_terminal_bytes + size.switches * 2;
  return size;
}

void check_memory(double bytes, const std::string& what) {
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  constexpr double gib = 1024.0 * 1024 * 1024;
  if (bytes > 0.9 * memory)
    throw std::length_error(fmt::format("{} need about {:.3g} GiB of memory, this machine has {:.1f} GiB",
                                        what, bytes / gib, memory / gib));
}

void check_size(const size_estimate& size) {
  check_memory(size.bytes, fmt::format("{:.3g} terminals, {:.3g} switches and {:.3g} links", size.terminals,
                                       size.switches, size.links));
}

}  // namespace spillway
