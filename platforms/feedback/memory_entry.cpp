#include <algorithm>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/feedback/memory_entry.hpp>
#include <spillway/platforms/feedback/memory_section.hpp>
#include <spillway/platforms/feedback/memory_unit.hpp>
#include <spillway/platforms/nifdy/nifdy_stage.hpp>

namespace spillway {

using namespace memory_section;
using nlohmann::json;

nlohmann::json memory_interface_entry::schema() const {
  json schema = parse_schema(R"json({
  "description": "A processor and a memory module a terminal: the traffic's packets are requests to modules, which answer them.",
  "properties": {
    "latency": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 1,
      "description": "Cycles from a request's last flit to its reply."
    },
    "replies": {
      "type": "boolean",
      "default": true,
      "description": "Memories send replies, through a network of their own of the same switches."
    },
    "reply_length": {
      "type": "integer",
      "minimum": 1,
      "maximum": 65535,
      "default": 1,
      "description": "Flits of a reply; every queue must hold one."
    },
    "module": {
      "enum": [],
      "default": "fixed",
      "description": "What serves the requests."
    }
  },
  "allOf": []
})json");
  schema["properties"]["nifdy"] = nifdy_unit_schema(false);
  schema["x-order"].push_back("nifdy");
  return schema;
}

std::unique_ptr<terminal_unit> memory_interface_entry::make(terminal_context context) const {
  return make_memory_unit(std::move(context), false, fronts());
}

network_uses memory_interface_entry::networks(const json& p) const {
  network_uses uses = nifdy_networks(has_nifdy(p) ? unit_networks : 1);
  if (has_replies(p)) uses.push_back(network_use::replies);
  return uses;
}

std::unique_ptr<platform_part> memory_interface_entry::share(const shared_context& context) const {
  return make_memory_system(context, false);
}

port_queues memory_interface_entry::queues(const json& p) const {
  return has_nifdy(p) ? nifdy_queues(p.at("nifdy")) : port_queues{};
}

unsigned memory_interface_entry::longest(const json& p) const {
  return std::max(has_replies(p) ? p.at("reply_length").get<unsigned>() : 1,
                  has_nifdy(p) ? longest_acknowledgement(p.at("nifdy")) : 1);
}

unsigned memory_interface_entry::latency(const json& p, unsigned flits) const {
  return has_nifdy(p) ? nifdy_latency(p.at("nifdy"), flits) : 0;
}

std::vector<objection> memory_interface_entry::object_to(const experiment_view& experiment) const {
  const json& section = experiment.root.at("interface");
  const std::string why = fronts().chosen(section).objection_to(section, experiment.root);
  if (why.empty()) return {};
  return {{"/interface", why}};
}

packet_requests memory_interface_entry::requests(const json& p) const {
  return has_nifdy(p) ? nifdy_requests(p.at("nifdy")) : packet_requests{};
}

}  // namespace spillway
