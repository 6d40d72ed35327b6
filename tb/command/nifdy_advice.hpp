#pragma once
#include <spillway/platforms/elaborate/network_plan.hpp>
#include <string>

namespace spillway {

/// What parameters a NIFDY unit should have on this platform, by its latency and volume (Callahan and
/// Goldstein, section 2.4), in words; empty if its interfaces are others or the latency is not known.
std::string describe_nifdy_advice(const network_plan& plan, const block_kinds& kinds, const analysis& found);

}  // namespace spillway
