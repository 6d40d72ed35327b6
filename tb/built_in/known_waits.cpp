#include <spillway/tb/built_in/known_waits.hpp>
#include <spillway/tb/hypercube/longest_message.hpp>

namespace spillway {

std::uint64_t multiple_waits([[maybe_unused]] const experiment& e) {
#if SPILLWAY_HAS_HYPERCUBE
  return longest_message(e.network.config.switches);
#else
  return 0;
#endif
}

}  // namespace spillway
