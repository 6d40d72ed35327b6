#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace spillway {

/// Speed of wormhole routers: an 8x8 mesh, dimension order, 2 virtual channels of 4 flits, packets of 4
/// flits, uniform traffic. A case is `router:kernel:rate:cycles`, the rate in flits a cycle and terminal.
/// Throws std::invalid_argument for anything else.
nlohmann::json measure_routers(const std::string& name);

}  // namespace spillway
