#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <spillway/platforms/topology/estimate.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace spillway {

namespace {

// Measured with SystemC 2.3.4: a module, a pin with its name and binding, an endpoint pair.
constexpr double module_bytes = 1000, pin_bytes = 520, terminal_bytes = 9000;
constexpr double checker_bytes = 5000;
// Of the graph itself, measured within 15 % on omegas and meshes: a vertex with two lists, an edge in the
// list of edges and in two of vertices.
constexpr double vertex_bytes = 100, edge_bytes = 90;
// Measured: a terminal of the transaction level with its traffic and the book of its packets.
constexpr double transaction_terminal_bytes = 1600;

/// What may be used, in bytes, and by whom.
std::pair<double, const char*> memory() {
  const double all =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  rlimit limit = {};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      static_cast<double>(limit.rlim_cur) < all)
    return {static_cast<double>(limit.rlim_cur), "this process may have"};
  return {all, "this machine has"};
}

}  // namespace

size_estimate estimate_pins(const topology_size& size, const link_memory& link, bool checkers) {
  // Open ports have pins, too: about one a switch, and no switch has more ports than the largest.
  const double linked = size.switches > 0 ? (size.links - size.terminals) / size.switches : 0;
  const double pins = std::min(size.ports, linked + 1) * 2 * link.pins;
  const double a_link = link.bytes + (checkers ? checker_bytes : 0);
  return {size, size.switches * (module_bytes + pins * pin_bytes) + size.terminals * terminal_bytes +
                    size.links * a_link + (size.terminals + size.switches) * vertex_bytes +
                    size.links * edge_bytes};
}

void add_link_stages(size_estimate& size, bool checkers) {
  size.bytes +=
      size.size.links * (module_bytes + 6 * pin_bytes + link_memory{}.bytes + (checkers ? checker_bytes : 0));
}

size_estimate estimate_transactions(const topology_size& size) {
  return {size, size.terminals * transaction_terminal_bytes + size.switches * 2};
}

void check_memory(double bytes, const std::string& what) {
  const auto [most, whose] = memory();
  constexpr double gib = 1024.0 * 1024 * 1024;
  if (bytes > 0.9 * most)
    throw std::length_error(fmt::format("{} need about {:.3g} GiB of memory, {} {:.3g} GiB", what,
                                        bytes / gib, whose, most / gib));
}

void check_size(const size_estimate& estimate) {
  const topology_size& size = estimate.size;
  check_memory(estimate.bytes, fmt::format("{:.3g} terminals, {:.3g} switches and {:.3g} links",
                                           size.terminals, size.switches, size.links));
}

}  // namespace spillway
