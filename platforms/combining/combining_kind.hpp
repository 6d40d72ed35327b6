#pragma once
#include <spillway/platforms/catalogue/block_kinds.hpp>

namespace spillway {

/// Switches that combine requests on their way to the memories and split the replies on their way back
/// through the same switches (Pfister and Norton; NYU Ultracomputer).
switch_kind combining_kind();

}  // namespace spillway
