#pragma once
#include <spillway/platforms/catalogue/block_kinds.hpp>

namespace spillway {

/// Switches of kind `wormhole`: routers with virtual channels, whose links carry all logical networks.
switch_kind wormhole_kind();

}  // namespace spillway
