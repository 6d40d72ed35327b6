#include <spillway/tb/built_in/advice.hpp>
#include <spillway/tb/nifdy/nifdy_advice.hpp>

namespace spillway {

std::string describe_advice([[maybe_unused]] const experiment& e, [[maybe_unused]] const catalogue& all,
                            [[maybe_unused]] const analysis& found) {
  std::string advice;
#if SPILLWAY_HAS_NIFDY
  advice += describe_nifdy_advice(e, all, found);
#endif
  return advice;
}

}  // namespace spillway
