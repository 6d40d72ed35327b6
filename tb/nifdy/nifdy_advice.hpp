#pragma once
#include <spillway/tb/experiment/experiment.hpp>
#include <string>

namespace spillway {

/// What parameters the NIFDY units of this platform should have, by its latency and volume (Callahan and
/// Goldstein, section 2.4), in words; empty if it has none.
std::string describe_nifdy_advice(const experiment& e, const catalogue& all, const analysis& found);

}  // namespace spillway
