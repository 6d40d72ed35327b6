#pragma once
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <string>

namespace spillway {

/// The proof that a network with pins is free of deadlock. Throws as certificate() does.
std::string certify_network(const network_plan& plan, const catalogue& all);

}  // namespace spillway
