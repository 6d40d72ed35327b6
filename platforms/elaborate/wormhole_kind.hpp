#pragma once
#include <spillway/platforms/elaborate/block_kinds.hpp>

namespace spillway {

/// Switches of kind `wormhole`: routers with virtual channels, whose links carry all logical networks.
switch_kind wormhole_kind();

/// What one logical network has of such a network.
struct wormhole_share {
  unsigned held_by_input = 0;  ///< flits
  unsigned cycles_a_flit = 1;  ///< from one flit on a link to the next
};
/// `section`: the `switch` section, defaults filled in.
wormhole_share wormhole_share_of(const nlohmann::json& section, unsigned networks);

}  // namespace spillway
