#include <spillway/hw/circuit/round_barrier.hpp>

namespace spillway {

void round_barrier::reset() {
  released_ = rounds_;
  input_pending_ = true;
  round.write(rounds_);
  released.write(released_);
}

void round_barrier::tick() {
  if (input_pending_) {
    input_pending_ = false;
    wake_at(cycle() + 1);
    return;
  }
  bool waiting = false;
  unsigned sending = 0, holding = 0;
  for (const auto& terminal : state) {
    const round_state s = terminal.read();
    waiting |= (s & round_waiting) != 0;
    sending += (s & round_sending) != 0;
    holding += (s & round_holding) != 0;
  }
  if (sending == 0 && waiting) {
    round.write(++rounds_);
  } else if (holding != 0 && sending == holding && released_ != rounds_) {
    released.write(released_ = rounds_);
  } else {
    return;
  }
  input_pending_ = true;
  wake_at(cycle() + 1);
}

}  // namespace spillway
