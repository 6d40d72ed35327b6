#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <spillway/tb/hypercube/locality.hpp>
#include <spillway/tb/traffic/patterns/any_terminal.hpp>
#include <spillway/tb/traffic/traffic.hpp>

namespace spillway {

locality_pattern::locality_pattern(locality_config config)
    : config_(std::move(config)), begins_(config_.clusters.size() + 1) {
  std::partial_sum(config_.clusters.begin(), config_.clusters.end(), begins_.begin() + 1);
}

void locality_pattern::address(packet_order& packet, std::uint32_t terminal, std::uint64_t,
                               random_stream& random) const {
  const double u = uniform(random);
  const auto end = std::upper_bound(begins_.begin(), begins_.end(), terminal);
  const std::uint32_t first = end[-1], size = *end - first, terminals = begins_.back();
  if (u < config_.fraction) {
    packet.kind = flit_kind::combinable;
    packet.traffic_class = hot_message;
    packet.destination = draw_target(config_.targets, random);
  } else if (u < config_.fraction + config_.local || size == terminals) {
    packet.destination = first + below(size, random);
  } else {
    packet.destination = (first + size + below(terminals - size, random)) % terminals;
  }
}

nlohmann::json locality_entry::schema() const {
  return parse_schema(R"({
    "description": "Messages to a hot spot, to terminals of the own cluster, and to those of other clusters (Dandamudi and Eager), with the rate and delays in time units.",
    "required": ["lambda", "cluster"],
    "properties": {
      "lambda": {
        "type": "number", "minimum": 0, "maximum": 1000000,
        "description": "Messages that a terminal makes a time unit, on average, in place of the rate; replies come on top."
      },
      "unit": {
        "type": "integer", "minimum": 1, "maximum": 1000000, "default": 64,
        "description": "Cycles of a time unit; that of switches of kind message_node, to compare with rates of their links."
      },
      "cluster": {
        "type": ["integer", "array"], "minimum": 1, "maximum": 268435456, "minItems": 1,
        "items": { "type": "integer", "minimum": 1, "maximum": 268435456 },
        "description": "Terminals in a cluster, those with neighbouring numbers: one number that divides that of all terminals, or a list, one of each cluster."
      },
      "local": {
        "type": "number", "minimum": 0, "maximum": 1, "default": 0.75,
        "description": "Fraction (alpha) of the messages that goes to any terminal of the own cluster, the sender included."
      },
      "fraction": {
        "type": "number", "minimum": 0, "maximum": 1, "default": 0,
        "description": "Fraction (h) that goes to a target; the rest, 1 - local - fraction, goes to any terminal of another cluster."
      },
      "targets": {
        "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/terminal" }, "default": [0],
        "description": "Terminals that are hot."
      }
    }
  })");
}

namespace {

std::vector<std::uint32_t> clusters_of(const traffic_context& c) {
  const nlohmann::json& key = c.section().at("cluster");
  if (!key.is_array()) {
    const std::uint32_t size = key;
    if (c.terminals % size)
      c.fail("cluster", fmt::format("expected a divisor of {} terminals, found {}", c.terminals, size));
    return std::vector<std::uint32_t>(c.terminals / size, size);
  }
  std::vector<std::uint32_t> sizes = key;
  const auto all = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  if (all != c.terminals)
    c.fail("cluster", fmt::format("expected clusters of {} terminals in all, found {}", c.terminals, all));
  return sizes;
}

}  // namespace

std::shared_ptr<const pattern> locality_entry::make(const traffic_context& c) const {
  const nlohmann::json& section = c.section();
  locality_config config;
  config.lambda = section.at("lambda");
  config.unit = section.at("unit");
  config.local = section.at("local");
  config.clusters = clusters_of(c);
  config.fraction = section.at("fraction");
  config.targets = c.terminal_list("targets");
  const nlohmann::json& switches = c.file.root.at("switch");
  if (switches.contains("unit") && switches.at("unit") != config.unit)
    c.fail("unit", fmt::format("expected the {} cycles of 'switch.unit', found {}",
                               switches.at("unit").get<std::uint64_t>(), config.unit));
  if (config.local + config.fraction > 1 + 1e-9)
    c.fail("local", fmt::format("expected at most 1 together with 'fraction', found {} and {}", config.local,
                                config.fraction));
  return std::make_shared<locality_pattern>(std::move(config));
}

}  // namespace spillway
