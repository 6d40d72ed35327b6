#include <algorithm>
#include <memory>
#include <spillway/hw/kernel/clocked.hpp>
#include <string>

// Calls of sleepers, to find those that should not sleep. All blocks are called in the order of a plain
// edge, so that what a block hears otherwise than by its pins comes as early or late as there.

namespace spillway {

void clock_domain::doubt_sleepers() {
  if (!parts_[0]->doubts_) parts_[0]->doubts_ = std::make_unique<domain_part::doubts>();
}

void domain_part::note_request(std::uint64_t cycle, std::uint32_t block) {
  doubts& d = *doubts_;
  if (d.requests.size() < domain_.blocks_.size()) d.requests.resize(domain_.blocks_.size());
  const bool is_new = d.requests[block].insert(cycle).second;
  d.asks |= is_new && block == d.sleeper;
}

void domain_part::call_all() {
  doubts_->requests.resize(domain_.blocks_.size());
  doubts_->woken.resize(awake_.size());
  for (std::uint32_t block = no_block + 1; block < domain_.blocks_.size(); ++block) {
    auto& requests = doubts_->requests[block];
    requests.erase(requests.begin(), requests.upper_bound(cycle_));
    if (now_[block >> 6] >> (block & 63) & 1)
      ++calls_, domain_.blocks_[block]->step();
    else
      call_sleeper(block);
  }
  std::fill(now_.begin(), now_.end(), 0);
}

void domain_part::call_sleeper(std::uint32_t block) {
  doubts& d = *doubts_;
  const std::uint64_t bit = std::uint64_t{1} << (block & 63);
  awake_.swap(d.woken);  // to see whom this call wakes
  d.sleeper = block;
  d.asks = false;
  domain_.blocks_[block]->step();
  d.sleeper = no_block;
  const bool again = awake_[block >> 6] & bit;
  awake_[block >> 6] &= ~bit;
  const bool writes = std::any_of(awake_.begin(), awake_.end(), [](std::uint64_t word) { return word != 0; });
  // Who is to be called at the next edge anyway, having been told something at this one, may ask already now.
  const bool asks =
      !(d.woken[block >> 6] & bit) && (d.asks || (again && !d.requests[block].count(cycle_ + 1)));
  std::fill(awake_.begin(), awake_.end(), 0);
  awake_.swap(d.woken);
  if (!writes && !asks) return;
  const std::string who = domain_.blocks_[block]->full_name();
  SC_REPORT_ERROR("spillway/doubting", (who + " slept at cycle " + std::to_string(cycle_) +
                                        ", and should not have: called all the same, it " +
                                        (writes ? "wrote a new value to a pin" : "asked to be called again"))
                                           .c_str());
}

}  // namespace spillway
