#pragma once
#include <spillway/tb/experiment/experiment.hpp>

namespace spillway {

/// Reads the `traffic` section: what the terminals send, and what that makes hot, longer, measured. All else
/// of the experiment has been read. Throws config_error.
void read_traffic(experiment& e, const document& file, const catalogue& all);

}  // namespace spillway
