#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <spillway/platforms/topology/estimate.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

namespace {

// Measured with SystemC 2.3.4: a module, a pin with its name and binding, a flit buffer, an endpoint pair.
constexpr double module_bytes = 1000, pin_bytes = 520, slot_bytes = 40, terminal_bytes = 9000;
constexpr double link_bytes = 900, checker_bytes = 5000;

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
  } else if (kind == "mesh" || kind == "torus") {
    size.terminals = 1;
    for (const double d : shape.at("dimensions")) size.terminals *= d;
    size.switches = size.terminals;
    ports = 1 + 2.0 * static_cast<double>(shape.at("dimensions").size());
    size.links = size.terminals * (ports + 1);
  } else if (kind == "ring" || kind == "crossbar") {
    size.terminals = shape.at("terminals");
    size.switches = kind == "ring" ? size.terminals : 1;
    ports = kind == "ring" ? 3 : size.terminals;
    size.links = size.terminals * (kind == "ring" ? 4 : 2);
  }
  double slots = switches.value("depth", 4.0);
  const std::string buffering = switches.value("buffering", "fifo");
  if (buffering == "voq") slots *= ports * ports;
  if (buffering == "fifo" || buffering == "output") slots *= ports;
  size.bytes = size.switches * (module_bytes + 6 * ports * pin_bytes + slots * slot_bytes) +
               size.terminals * terminal_bytes + size.links * (link_bytes + (checkers ? checker_bytes : 0));
  return size;
}

void check_size(const size_estimate& size) {
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  constexpr double gib = 1024.0 * 1024 * 1024;
  if (size.bytes > 0.9 * memory)
    throw std::length_error(fmt::format(
        "{:.3g} terminals, {:.3g} switches and {:.3g} links need about {:.3g} GiB of memory, this "
        "machine has {:.1f} GiB",
        size.terminals, size.switches, size.links, size.bytes / gib, memory / gib));
}

}  // namespace spillway
