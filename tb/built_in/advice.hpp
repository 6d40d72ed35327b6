#pragma once
#include <spillway/tb/experiment/experiment.hpp>
#include <string>

namespace spillway {

/// What the mechanisms advise about the parameters of this experiment, in words, for `spillway check`.
std::string describe_advice(const experiment& e, const catalogue& all, const analysis& found);

}  // namespace spillway
