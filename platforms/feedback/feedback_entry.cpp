#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/feedback/feedback_entry.hpp>
#include <spillway/platforms/feedback/memory_section.hpp>
#include <spillway/platforms/feedback/memory_unit.hpp>
#include <stdexcept>

namespace spillway {

using namespace memory_section;
using nlohmann::json;

nlohmann::json feedback_interface_entry::schema() const {
  json own = parse_schema(R"json({
  "description": "As memory, and the processors hold back requests to modules whose queue is hot (Farrens, Wetmore and Woodruff, 1991); for packet switches with a memory_depth.",
  "properties": {
    "threshold": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 3,
      "description": "Flits of requests in its queue at which a module turns hot."
    },
    "cool_threshold": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "description": "Flits below which it turns cool again; the threshold when left out."
    },
    "comparison": {
      "enum": ["reached", "exceeded"],
      "default": "reached",
      "description": "Whether a queue is hot with as many flits as the threshold, or only with more."
    },
    "delay": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 1,
      "description": "Cycles from a change of the queue's length to the line that tells of it."
    },
    "announce": {
      "enum": ["lines", "bus"],
      "default": "lines",
      "description": "How the interfaces hear of it: all at once, by a line a module (ideal), or over a bus that carries one change a cycle."
    },
    "hot_list": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65535,
      "default": 0,
      "description": "Hot modules that an interface can list; those beyond are not held back. 0 is no bound."
    },
    "set_aside": {
      "type": "integer",
      "minimum": 0,
      "maximum": 65535,
      "default": 0,
      "description": "Blocked requests that an interface keeps aside while later ones pass; 0: all go in order."
    },
    "bleeding": {
      "enum": ["none", "round_robin", "slots", "random"],
      "default": "none",
      "description": "Which blocked requests may go all the same: those of some processors, in turn among the ones that have any (round_robin) or by a counter of all processors (slots), or each with a probability (random)."
    },
    "bleed": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 1,
      "description": "Processors a cycle that may bleed, of round_robin and slots."
    },
    "bleed_each": {
      "enum": ["network", "module"],
      "default": "network",
      "description": "Whether round_robin admits so many requests a cycle in all, or to each hot module."
    },
    "grants": {
      "enum": ["blocked", "room"],
      "default": "blocked",
      "description": "Whom round_robin picks: any processor that has a blocked request, as the paper has it, a grant to one whose first stage has no room being lost; or only those whose first stage has room."
    },
    "probability": {
      "type": "number",
      "minimum": 0,
      "maximum": 1,
      "default": 0.00390625,
      "description": "Probability a cycle that a blocked request may go, of random bleeding."
    },
    "limit": {
      "type": "object",
      "description": "A global arbiter admits the requests to each module; none when left out.",
      "additionalProperties": false,
      "required": ["hot", "cold"],
      "properties": {
        "hot": {
          "type": "integer",
          "minimum": 1,
          "maximum": 65535,
          "description": "Requests a cycle to a module that is hot."
        },
        "cold": {
          "type": "integer",
          "minimum": 1,
          "maximum": 65535,
          "description": "Requests a cycle to a module that is not."
        }
      }
    }
  }
})json");
  // Behind the keys of a memory, and before those of a NIFDY unit.
  json schema = memory_interface_entry::schema();
  schema["description"] = own["description"];
  json& order = schema["x-order"];
  order.insert(order.end() - 1, own["x-order"].begin(), own["x-order"].end());
  schema["properties"].update(own["properties"]);
  return schema;
}

std::unique_ptr<terminal_unit> feedback_interface_entry::make(terminal_context context) const {
  return make_memory_unit(std::move(context), true, fronts());
}

std::unique_ptr<platform_part> feedback_interface_entry::share(const shared_context& context) const {
  return make_memory_system(context, true);
}

std::vector<objection> feedback_interface_entry::object_to(const experiment_view& experiment) const {
  const json& root = experiment.root;
  if (!root.at("switch").contains("memory_depth"))
    return {{"/interface",
             "feedback needs queues that tell their length: `switch: {kind: packet, buffering: output, "
             "memory_depth: N}`"}};
  if (!root.at("stages").empty())
    return {{"/stages", "feedback looks at the queues before the memories: expected no stages between"}};
  try {
    rule_of(root.at("interface"));
    interface_of(root.at("interface"), static_cast<unsigned>(experiment.shape.terminals.size()), 1).check();
  } catch (const std::invalid_argument& error) {
    return {{"/interface", error.what()}};
  }
  return memory_interface_entry::object_to(experiment);
}

}  // namespace spillway
