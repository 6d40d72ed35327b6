#pragma once
#include <spillway/platforms/catalogue/catalogue.hpp>

namespace spillway {

/// Everything that an experiment can choose: what platforms are built of, and what the terminals do.
catalogue standard_catalogue();

}  // namespace spillway
