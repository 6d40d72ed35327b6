#include <spillway/platforms/topology/topology_entry.hpp>
#include <stdexcept>

namespace spillway {

namespace {

std::string words(const topology_size& size) {
  const auto number = [](double n) { return std::to_string(static_cast<long long>(n)); };
  return number(size.terminals) + " terminals, " + number(size.switches) + " switches of up to " +
         number(size.ports) + " ports and " + number(size.links) + " links";
}

bool same(const topology_size& a, const topology_size& b) {
  return a.terminals == b.terminals && a.switches == b.switches && a.links == b.links && a.ports == b.ports;
}

}  // namespace

topology make_topology(const catalogue& all, nlohmann::json section, const std::filesystem::path& folder,
                       bool terminals_only) {
  const topology_entry& kind = all.of<topology_entry>().chosen(section);
  fill_defaults(kind, section);
  topology shape = kind.make({section, folder, terminals_only});
  shape.kind = kind.name();
  check_graph(shape);
  const topology_size made = size_of(shape);
  if (const auto said = kind.size(section); said && !terminals_only && !same(*said, made))
    throw std::invalid_argument("the topology '" + kind.name() + "' says that it has " + words(*said) +
                                ", and has " + words(made));
  return shape;
}

}  // namespace spillway
