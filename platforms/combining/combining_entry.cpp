#include <spillway/hw/combining/combining_switch.hpp>
#include <spillway/platforms/combining/combining_entry.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <stdexcept>

namespace spillway {

nlohmann::json combining_entry::schema() const {
  return parse_schema(R"json({
  "description": "Switch that makes one request of those to a hot spot that meet in it, and splits the reply on its way back (Pfister and Norton, 1985; NYU Ultracomputer). Replies go through the same switches as the requests; needs the interface memory and packets of one flit.",
  "properties": {
    "depth": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65536,
      "default": 4,
      "description": "Requests a queue (one an output) holds."
    },
    "return_depth": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65536,
      "default": 4,
      "description": "Replies a queue (one a port back) holds."
    },
    "degree": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65536,
      "default": 0,
      "description": "Requests that a queue may make one: 1 none, 2 pairs, 0 any number."
    },
    "wait_buffer": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65536,
      "default": 0,
      "description": "Merged requests that a switch holds until their reply comes; while it is full nothing is combined. 0: any number."
    },
    "in_service": {
      "type": "boolean",
      "default": false,
      "description": "Whether a request may still be joined while the switch shows it to the next one."
    },
    "overtakes": {
      "type": "boolean",
      "default": false,
      "description": "Whether a request may overtake those for something else of the same module, such as reads of other lines, to join one for the same."
    }
  }
})json");
}

std::unique_ptr<network_block> combining_entry::make(const switch_context& context) const {
  const nlohmann::json& p = context.parameters;
  combining_switch_config config;
  config.inputs = context.inputs;
  config.outputs = context.outputs;
  config.depth = p.at("depth");
  config.return_depth = p.at("return_depth");
  config.combining.degree = p.at("degree");
  config.combining.records = p.at("wait_buffer");
  config.combining.in_service = p.at("in_service");
  config.combining.overtakes = p.at("overtakes");
  return std::make_unique<combining_switch>(context.name.c_str(), config, context.node, context.routes);
}

std::vector<network_course> combining_entry::courses(const network_uses& networks) const {
  if (networks != network_uses{network_use::packets, network_use::replies})
    throw std::invalid_argument(
        "switches of kind combining need an interface with requests and replies, such as `interface: {kind: "
        "memory}`");
  return {{0, false}, {0, true}};
}

std::shared_ptr<const switch_plan> combining_entry::plan(const switch_plan_context& context) const {
  if (context.packet_length != 1)
    throw std::invalid_argument("combining switches move messages of one flit, found packets of " +
                                std::to_string(context.packet_length));
  return nullptr;
}

}  // namespace spillway
