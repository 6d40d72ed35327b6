#pragma once
#include <spillway/tb/experiment/advice.hpp>
#include <spillway/tb/experiment/experiment.hpp>

namespace spillway {

/// What parameters the NIFDY units of this platform should have, by its latency and volume (Callahan and
/// Goldstein, section 2.4); not sound with a timeout below the round trip. No text if it has none.
advice nifdy_advice_of(const experiment& e, const catalogue& all, const analysis& found);

}  // namespace spillway
