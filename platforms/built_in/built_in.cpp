#include <spillway/platforms/catalogue/block_kinds.hpp>
#include <spillway/platforms/circuit/circuit_kinds.hpp>
#include <spillway/platforms/combining/combining_kind.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/dampening/dampening_kinds.hpp>
#include <spillway/platforms/feedback/memory_unit.hpp>
#include <spillway/platforms/hypercube/message_node_kind.hpp>
#include <spillway/platforms/nifdy/nifdy_kind.hpp>
#include <spillway/platforms/packet/packet_kind.hpp>
#include <spillway/platforms/tlm/tlm_unit.hpp>
#include <spillway/platforms/wormhole/wormhole_kind.hpp>

namespace spillway {

// Every mechanism of ours: the one list of them. SPILLWAY_HAS_...: whether it is linked
// (SPILLWAY_MECHANISMS).
block_kinds standard_kinds() {
  block_kinds kinds;
#if SPILLWAY_HAS_PACKET
  kinds.switches["packet"] = packet_kind();
#endif
  kinds.interfaces["plain"].make = make_plain_unit;
  kinds.interfaces["tlm"] = tlm_interface();
#if SPILLWAY_HAS_FEEDBACK
  kinds.interfaces["memory"] = memory_interface();
  kinds.interfaces["feedback"] = feedback_interface_kind();
#endif
#if SPILLWAY_HAS_CIRCUIT
  add_circuit_kinds(kinds);
#endif
#if SPILLWAY_HAS_DAMPENING
  add_dampening_kinds(kinds);
#endif
#if SPILLWAY_HAS_HYPERCUBE
  kinds.switches["message_node"] = message_node_kind();
#endif
#if SPILLWAY_HAS_WORMHOLE
  kinds.switches["wormhole"] = wormhole_kind();
#endif
#if SPILLWAY_HAS_COMBINING
  kinds.switches["combining"] = combining_kind();
#endif
#if SPILLWAY_HAS_NIFDY
  add_nifdy_kind(kinds);
#endif
  return kinds;
}

nlohmann::json experiment_schema(const catalogue& all) {
  nlohmann::json schema = experiment_base();
  for (const auto& [type, axis] : all.axes())
    for (const auto& one : axis->entries())
      add_kind(schema, axis->place().section, one->name(), one->schema(), axis->place().key);
  return schema;
}

nlohmann::json experiment_schema(const block_kinds& kinds) {
  nlohmann::json schema = experiment_schema(static_cast<const catalogue&>(kinds));
  for (const auto& [name, kind] : kinds.switches)
    if (!kind.keys.is_null()) add_kind(schema, "switch", name, kind.keys);
  for (const auto& [name, kind] : kinds.interfaces)
    if (!kind.keys.is_null()) add_kind(schema, "interface", name, kind.keys);
  return schema;
}

}  // namespace spillway
