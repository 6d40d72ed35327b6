#pragma once
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <spillway/tlm/tlm_channel.hpp>

namespace spillway {

/// The ways through one network of a platform, for a routing with one way only. Queues and links are numbered
/// from 0 in the order of the graph; a switch has a queue an input, or one an input and output.
message_paths find_message_paths(const network_plan& plan, bool queue_an_output);

}  // namespace spillway
