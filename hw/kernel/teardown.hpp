#pragma once
#include <memory>
#include <vector>

namespace spillway {

/// Destroys modules last to first. SystemC looks for a port that goes from the end of its list, so that first
/// to last would take time quadratic in their number.
template <class Module>
void tear_down(std::vector<std::unique_ptr<Module>>& modules) {
  while (!modules.empty()) modules.pop_back();
}

}  // namespace spillway
