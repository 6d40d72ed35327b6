#include <spillway/tb/built_in/advice.hpp>
#include <spillway/tb/nifdy/nifdy_advice.hpp>

namespace spillway {

std::string describe_advice([[maybe_unused]] const experiment& e, [[maybe_unused]] const block_kinds& kinds,
                            [[maybe_unused]] const analysis& found) {
  std::string all;
#if SPILLWAY_HAS_NIFDY
  all += describe_nifdy_advice(e, kinds, found);
#endif
  return all;
}

}  // namespace spillway
