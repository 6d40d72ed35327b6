#pragma once
#include <map>
#include <string>

namespace spillway {

/// What the blocks of a run have counted, by dotted name such as `nifdy.bulk_grants`. Every block adds
/// its own part to a name.
using counters = std::map<std::string, double>;

}  // namespace spillway
