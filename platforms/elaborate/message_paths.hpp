#pragma once
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <spillway/tlm/tlm_channel.hpp>

namespace spillway {

/// The links that messages cross in a network, numbered from 0 in the order of the graph; for a routing with
/// one way only.
message_path message_paths(const network_plan& plan);

}  // namespace spillway
