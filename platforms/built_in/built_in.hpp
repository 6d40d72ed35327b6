#pragma once
#include <spillway/platforms/catalogue/catalogue.hpp>

namespace spillway {

/// All topologies, routings, switches and interfaces of the library.
catalogue platform_catalogue();

}  // namespace spillway
