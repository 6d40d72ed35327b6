#pragma once
#include <spillway/tb/experiment/advice.hpp>
#include <spillway/tb/experiment/experiment.hpp>

namespace spillway {

/// What the mechanisms say of the parameters of this experiment, for `spillway check`.
advice advice_of(const experiment& e, const catalogue& all, const analysis& found);

}  // namespace spillway
