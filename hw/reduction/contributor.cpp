#include <spillway/hw/reduction/contribution.hpp>
#include <spillway/hw/reduction/contributor.hpp>
#include <sstream>
#include <stdexcept>

namespace spillway {

void contributor::reset() {
  source::reset();
  round_ = 0;
}

bool contributor::choose(flit& chosen) {
  if (!source::choose(chosen)) return false;
  if (chosen.kind != flit_kind::combinable || chosen.length != 1 || chosen.destination != terminal()) {
    std::ostringstream text;
    text << name() << ": a network that reduces carries contributions of its terminals alone, found "
         << chosen;
    throw std::logic_error(text.str());
  }
  chosen = in_round(chosen, round_++);
  chosen.lane = static_cast<std::uint8_t>(group_);
  return true;
}

}  // namespace spillway
