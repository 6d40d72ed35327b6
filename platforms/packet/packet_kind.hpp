#pragma once
#include <spillway/platforms/catalogue/block_kinds.hpp>

namespace spillway {

/// `switch: {kind: packet}`: a buffer pool a switch; in the last stage memory queues, if asked for.
switch_kind packet_kind();

}  // namespace spillway
