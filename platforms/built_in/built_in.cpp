#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/circuit/circuit_entries.hpp>
#include <spillway/platforms/combining/combining_entry.hpp>
#include <spillway/platforms/dampening/dampening_entries.hpp>
#include <spillway/platforms/endpoints/plain_interface.hpp>
#include <spillway/platforms/feedback/memory_entries.hpp>
#include <spillway/platforms/hypercube/message_node_entry.hpp>
#include <spillway/platforms/nifdy/nifdy_entries.hpp>
#include <spillway/platforms/nifdy/nifdy_stage.hpp>
#include <spillway/platforms/packet/packet_switch.hpp>
#include <spillway/platforms/tlm/tlm_unit.hpp>
#include <spillway/platforms/wormhole/wormhole_entry.hpp>

namespace spillway {

// Everything of ours: the one list. SPILLWAY_HAS_...: whether the mechanism is linked (SPILLWAY_MECHANISMS).
catalogue platform_catalogue() {
  catalogue all;
#if SPILLWAY_HAS_PACKET
  all.add<packet_switch_entry>();
#endif
#if SPILLWAY_HAS_CIRCUIT
  all.add<circuit_switch_entry>();
#endif
#if SPILLWAY_HAS_WORMHOLE
  all.add<wormhole_entry>();
#endif
#if SPILLWAY_HAS_DAMPENING
  all.add<dampening_switch_entry>();
#endif
#if SPILLWAY_HAS_HYPERCUBE
  all.add<message_node_entry>();
#endif
#if SPILLWAY_HAS_COMBINING
  all.add<combining_entry>();
#endif
  all.add<plain_interface_entry>();
#if SPILLWAY_HAS_CIRCUIT
  all.add<circuit_interface_entry>();
#endif
  all.add<tlm_interface_entry>();
#if SPILLWAY_HAS_NIFDY
  all.add<nifdy_interface_entry>();
#endif
#if SPILLWAY_HAS_FEEDBACK
  all.add<memory_interface_entry>();
  all.add<feedback_interface_entry>();
#endif
#if SPILLWAY_HAS_DAMPENING
  all.add<embargo_interface_entry>();
#endif
#if SPILLWAY_HAS_NIFDY
  all.add<nifdy_stage_entry>();
#endif
  return all;
}

}  // namespace spillway
