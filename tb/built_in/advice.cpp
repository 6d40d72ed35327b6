#include <spillway/tb/built_in/advice.hpp>
#include <spillway/tb/nifdy/nifdy_advice.hpp>

namespace spillway {

advice advice_of([[maybe_unused]] const experiment& e, [[maybe_unused]] const catalogue& all,
                 [[maybe_unused]] const analysis& found) {
  advice all_said;
#if SPILLWAY_HAS_NIFDY
  const advice of_nifdy = nifdy_advice_of(e, all, found);
  all_said.text += of_nifdy.text;
  all_said.sound = all_said.sound && of_nifdy.sound;
#endif
  return all_said;
}

}  // namespace spillway
