#include <algorithm>
#include <spillway/tb/experiment/run_end.hpp>
#include <utility>

namespace spillway {

run_end::run_end(const experiment& e, const scoreboard& board, const meter& m, const platform& network,
                 const workload_run* workload, const std::vector<packet_supply*>& supplies)
    : e_(e), board_(board), meter_(m), network_(network), workload_(workload), supplies_(supplies) {}

/// All that is under way will move by itself: that is no deadlock.
bool run_end::only_backs_off() const {
  const std::uint64_t resting = network_.resting_flits();
  return resting && resting == network_.held_flits();
}

bool run_end::traffic_over() const {
  return std::all_of(supplies_.begin(), supplies_.end(),
                     [](const packet_supply* s) { return s->exhausted(); });
}

std::string run_end::at(std::uint64_t cycle) {
  for (const auto reason : {&run_end::window_over, &run_end::drained, &run_end::stands})
    if (std::string word = (this->*reason)(cycle); !word.empty()) return word;
  return cycle >= e_.measure.limit ? "limit" : "";
}

/// The measured part is over, and with it what was made in it.
std::string run_end::window_over(std::uint64_t cycle) {
  const std::uint64_t end = window();
  if (!end || cycle < end) return {};
  if (meter_.measured_outstanding() == 0) return "ok";
  return cycle >= end + e_.measure.drain ? "saturated" : "";
}

/// All has been sent, and has arrived or had its time to.
std::string run_end::drained(std::uint64_t cycle) {
  if (!traffic_over()) {
    acknowledging_ = false;
    return {};
  }
  if (board_.outstanding() == 0) {
    // All has arrived, but some senders do not know yet: one interval more. A memory still answers.
    if (network_.resting_flits() == 0 && (acknowledging_ || network_.held_flits() == 0)) return "ok";
    acknowledging_ = true;
  } else {
    acknowledging_ = false;
  }
  // It may go on when something arrives.
  const bool more = std::exchange(created_, board_.counts().created) != board_.counts().created;
  if (more || drained_from_ == 0) drained_from_ = cycle;
  if (cycle < drained_from_ + e_.measure.drain) return {};
  return cycle >= e_.silent_until ? "limit" : "ok";
}

/// Nothing moves, and nothing will.
std::string run_end::stands(std::uint64_t cycle) {
  const std::uint64_t progress = board_.counts().flits + board_.counts().injected;
  const std::uint64_t forwarded = network_.forwarded();
  // Packets that are sent again can move for ever without an end: more than all that are outstanding take
  // through all switches is no way to anywhere.
  if (std::exchange(progress_, progress) != progress)
    forwarded_until_ = forwarded + 1000 + board_.outstanding_flits() * network_.switches().size();
  const std::uint64_t moves = progress + std::min(forwarded, forwarded_until_);
  const bool moved = std::exchange(moves_, moves) != moves;
  if (moved || only_backs_off()) last_move_ = cycle;
  // A stall counts only while every terminal listens, but one that never will must not prolong the run.
  if (!moved && board_.outstanding() == 0 && workload_ && workload_->stuck()) return "stuck";
  const bool stopped = e_.silent_until == packet_supply::never;
  const std::uint64_t still_from = stopped ? last_move_ : std::max(last_move_, e_.silent_until);
  if (!e_.checks.watchdog || cycle < still_from + patience() || !board_.in_flight()) return {};
  return stopped ? "ok" : "deadlock";
}

}  // namespace spillway
