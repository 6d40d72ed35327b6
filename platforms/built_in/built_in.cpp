#include <spillway/platforms/built_in/built_in.hpp>
#include <spillway/platforms/circuit/circuit_entries.hpp>
#include <spillway/platforms/circuit/circuit_link_entry.hpp>
#include <spillway/platforms/circuit/fat_tree_topology.hpp>
#include <spillway/platforms/combining/combining_entry.hpp>
#include <spillway/platforms/dampening/dampening_entries.hpp>
#include <spillway/platforms/dampening/embargo_link_entry.hpp>
#include <spillway/platforms/dampening/refill_link_entry.hpp>
#include <spillway/platforms/dampening/spill_link_entry.hpp>
#include <spillway/platforms/dragonfly/dragonfly.hpp>
#include <spillway/platforms/dram/dram_entry.hpp>
#include <spillway/platforms/ecn/ecn_entries.hpp>
#include <spillway/platforms/elaborate/memory_front_entry.hpp>
#include <spillway/platforms/endpoints/plain_interface.hpp>
#include <spillway/platforms/feedback/admission_link_entry.hpp>
#include <spillway/platforms/feedback/feedback_bus_entry.hpp>
#include <spillway/platforms/feedback/feedback_entry.hpp>
#include <spillway/platforms/feedback/feedback_lines_entry.hpp>
#include <spillway/platforms/feedback/memory_entry.hpp>
#include <spillway/platforms/flow_pause/flow_pause_entry.hpp>
#include <spillway/platforms/grid/adaptive.hpp>
#include <spillway/platforms/grid/dimension_order.hpp>
#include <spillway/platforms/grid/mesh.hpp>
#include <spillway/platforms/grid/ring.hpp>
#include <spillway/platforms/grid/torus.hpp>
#include <spillway/platforms/hypercube/cube_routing.hpp>
#include <spillway/platforms/hypercube/hierarchical_hypercube.hpp>
#include <spillway/platforms/hypercube/hypercube_topology.hpp>
#include <spillway/platforms/hypercube/message_node_entry.hpp>
#include <spillway/platforms/hyperx/hyperx.hpp>
#include <spillway/platforms/isolation/destination_queues_entry.hpp>
#include <spillway/platforms/isolation/isolation_entry.hpp>
#include <spillway/platforms/isolation/isolation_link_entry.hpp>
#include <spillway/platforms/links/marking_link_entry.hpp>
#include <spillway/platforms/links/packet_link_entry.hpp>
#include <spillway/platforms/multistage/butterfly.hpp>
#include <spillway/platforms/multistage/crossbar.hpp>
#include <spillway/platforms/multistage/digit.hpp>
#include <spillway/platforms/multistage/multibutterfly.hpp>
#include <spillway/platforms/multistage/omega.hpp>
#include <spillway/platforms/nifdy/nifdy_entries.hpp>
#include <spillway/platforms/nifdy/nifdy_stage.hpp>
#include <spillway/platforms/packet/any_place.hpp>
#include <spillway/platforms/packet/damq_buffers.hpp>
#include <spillway/platforms/packet/dynamic_limit.hpp>
#include <spillway/platforms/packet/equal_parts.hpp>
#include <spillway/platforms/packet/fifo_buffers.hpp>
#include <spillway/platforms/packet/memory_link_entry.hpp>
#include <spillway/platforms/packet/output_queues.hpp>
#include <spillway/platforms/packet/packet_switch.hpp>
#include <spillway/platforms/packet/shared_buffers.hpp>
#include <spillway/platforms/packet/static_limit.hpp>
#include <spillway/platforms/packet/virtual_output_queues.hpp>
#include <spillway/platforms/reduction/reduction_entries.hpp>
#include <spillway/platforms/srp/srp_entries.hpp>
#include <spillway/platforms/switching/least_recently_served.hpp>
#include <spillway/platforms/switching/oldest_first.hpp>
#include <spillway/platforms/switching/round_robin.hpp>
#include <spillway/platforms/tlm/tlm_unit.hpp>
#include <spillway/platforms/topology/graph_file.hpp>
#include <spillway/platforms/topology/region_routing.hpp>
#include <spillway/platforms/topology/table_routing.hpp>
#include <spillway/platforms/tree/nearest_ancestor.hpp>
#include <spillway/platforms/tree/xgft.hpp>
#include <spillway/platforms/wormhole/wormhole_entry.hpp>

namespace spillway {

// Everything of ours: the one list. SPILLWAY_HAS_...: whether the mechanism is linked (SPILLWAY_MECHANISMS).
catalogue platform_catalogue() {
  catalogue all;
  all.add<butterfly_topology>();
  all.add<omega_topology>();
  all.add<crossbar_topology>();
  all.add<ring_topology>();
  all.add<mesh_topology>();
  all.add<torus_topology>();
#if SPILLWAY_HAS_CIRCUIT
  all.add<fat_tree_topology>();
#endif
  all.add<multibutterfly_topology>();
  all.add<xgft_topology>();
  all.add<dragonfly_topology>();
  all.add<hyperx_topology>();
  all.add<graph_file>();
#if SPILLWAY_HAS_HYPERCUBE
  all.add<hypercube_topology>();
  all.add<hierarchical_hypercube_topology>();
#endif
  all.add<digit_routing>();
  all.add<dimension_order_routing>();
#if SPILLWAY_HAS_CIRCUIT
  all.add<up_down_routing>();
#endif
  all.add<table_routing>();
  all.add<adaptive_routing>();
  all.add<nearest_ancestor_routing>();
  all.add<minimal_routing>();
  all.add<valiant_routing>();
  all.add<ugal_routing>();
#if SPILLWAY_HAS_HYPERCUBE
  all.add<e_cube_routing>();
  all.add<shortest_paths_routing>();
#endif
#if SPILLWAY_HAS_PACKET
  all.add<packet_switch_entry>(all);
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
#if SPILLWAY_HAS_ISOLATION
  all.add<destination_queues_entry>();
  all.add<isolation_entry>();
#endif
#if SPILLWAY_HAS_FLOW_PAUSE
  all.add<flow_pause_entry>();
#endif
#if SPILLWAY_HAS_HYPERCUBE
  all.add<message_node_entry>();
#endif
#if SPILLWAY_HAS_COMBINING
  all.add<combining_entry>();
#endif
#if SPILLWAY_HAS_REDUCTION
  all.add<reduction_entry>();
#endif
#if SPILLWAY_HAS_PACKET
  all.add<round_robin_entry>();
  all.add<oldest_first_entry>();
  all.add<least_recently_served_entry>();
  all.add<fifo_buffers>();
  all.add<virtual_output_queues>();
  all.add<damq_buffers>();
  all.add<output_queues>();
  all.add<shared_buffers>();
  all.add<any_place>();
  all.add<equal_parts>();
  all.add<static_limit>();
  all.add<dynamic_limit>();
#endif
  all.add<packet_link_entry>();
  all.add<marking_link_entry>();
#if SPILLWAY_HAS_PACKET
  all.add<memory_link_entry>();
#endif
#if SPILLWAY_HAS_CIRCUIT
  all.add<circuit_link_entry>();
#endif
#if SPILLWAY_HAS_DAMPENING
  all.add<embargo_link_entry>();
  all.add<spill_link_entry>();
  all.add<refill_link_entry>();
#endif
#if SPILLWAY_HAS_ISOLATION
  all.add<isolation_link_entry>();
#endif
#if SPILLWAY_HAS_FEEDBACK
  all.add<feedback_lines_entry>();
  all.add<feedback_bus_entry>();
  all.add<admission_link_entry>();
#endif
  all.add<plain_interface_entry>();
#if SPILLWAY_HAS_CIRCUIT
  all.add<circuit_interface_entry>();
#endif
  all.add<tlm_interface_entry>();
#if SPILLWAY_HAS_REDUCTION
  all.add<reduction_interface_entry>();
#endif
#if SPILLWAY_HAS_NIFDY
  all.add<nifdy_interface_entry>();
#endif
#if SPILLWAY_HAS_FEEDBACK
  all.add<memory_interface_entry>(all);
  all.add<feedback_interface_entry>(all);
  all.add<fixed_memory>();
#if SPILLWAY_HAS_DRAM
  all.add<dram_entry>();
#endif
#endif
#if SPILLWAY_HAS_DAMPENING
  all.add<embargo_interface_entry>();
#endif
#if SPILLWAY_HAS_NIFDY
  all.add<nifdy_stage_entry>();
#endif
#if SPILLWAY_HAS_ECN
  all.add<ecn_marking_entry>();
  all.add<ecn_stage_entry>();
#endif
#if SPILLWAY_HAS_SRP
  all.add<srp_dropping_entry>();
  all.add<lhrp_dropping_entry>();
  all.add<srp_stage_entry>();
#endif
  return all;
}

}  // namespace spillway
