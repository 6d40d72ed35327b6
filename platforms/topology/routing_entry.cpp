#include <spillway/platforms/topology/routing_entry.hpp>
#include <stdexcept>

namespace spillway {

namespace {

const routing_entry* first_of(const axis<routing_entry>& all, const topology& shape, routing_fit wanted) {
  for (const auto& one : all.entries())
    if (all.at(one->name()).fit(shape) == wanted) return &all.at(one->name());
  return nullptr;
}

const routing_entry& fitting(const axis<routing_entry>& all, const topology& shape, const std::string& name) {
  const routing_entry& wanted = all.at(name);
  if (wanted.fit(shape) != routing_fit::none) return wanted;
  std::string expected;
  for (const auto& one : all.entries())
    if (all.at(one->name()).fit(shape) != routing_fit::none)
      expected += (expected.empty() ? "" : ", ") + one->name();
  throw std::invalid_argument("routing '" + name + "' does not fit a topology of kind '" + shape.kind +
                              "': expected " + expected + " or auto");
}

}  // namespace

const routing_entry& natural_routing(const catalogue& all, const topology& shape) {
  for (const routing_fit wanted : {routing_fit::own, routing_fit::general})
    if (const routing_entry* const found = first_of(all.of<routing_entry>(), shape, wanted)) return *found;
  throw std::invalid_argument("no routing fits a topology of kind '" + shape.kind + "'");
}

std::shared_ptr<const routing> make_routing(const catalogue& all, const topology& shape,
                                            nlohmann::json section, unsigned channels, std::uint64_t seed) {
  const std::string name = section.at("kind");
  const routing_entry& kind =
      name == "auto" ? natural_routing(all, shape) : fitting(all.of<routing_entry>(), shape, name);
  fill_defaults(kind, section);
  auto routes = made_by(kind, kind.make({shape, section, channels, seed}));
  if (routes->entry_routes() > routing::most_entry_routes)
    throw std::invalid_argument(
        "routing '" + kind.name() + "' writes " + std::to_string(routes->entry_routes()) +
        " different routes, heads have room for " + std::to_string(routing::most_entry_routes));
  return routes;
}

}  // namespace spillway
