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

catalogue platform_catalogue() {
  catalogue all;
  all.add<packet_switch_entry>();
  all.add<circuit_switch_entry>();
  all.add<wormhole_entry>();
  all.add<dampening_switch_entry>();
  all.add<message_node_entry>();
  all.add<combining_entry>();
  all.add<plain_interface_entry>();
  all.add<circuit_interface_entry>();
  all.add<tlm_interface_entry>();
  all.add<nifdy_interface_entry>();
  all.add<memory_interface_entry>();
  all.add<feedback_interface_entry>();
  all.add<embargo_interface_entry>();
  all.add<nifdy_stage_entry>();
  return all;
}

}  // namespace spillway
