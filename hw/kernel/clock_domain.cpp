#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/prefetch.hpp>
#include <spillway/hw/kernel/process.hpp>
#include <spillway/hw/kernel/thread_team.hpp>
#include <spillway/hw/kernel/wire_watcher.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace spillway {

namespace {

// So many blocks touch no more memory than a cache holds that is a core's own.
constexpr std::size_t cached_blocks = 512;

}  // namespace

clock_domain::clock_domain(const sc_core::sc_module_name& name, const sc_core::sc_time& period)
    : sc_module(name), period_(period) {
  parts_.push_back(std::make_unique<domain_part>(*this, 0));
}

clock_domain::~clock_domain() = default;

std::uint64_t clock_domain::calls() const {
  std::uint64_t all = 0;
  for (const auto& part : parts_) all += part->calls_;
  return all;
}

std::uint32_t clock_domain::add(stepped& block) {
  const auto index = static_cast<std::uint32_t>(blocks_.size());
  if (index >= domain_part::first_group)
    throw std::length_error("a clock domain has at most 2^23 - 1 blocks");
  blocks_.push_back(&block);
  data_.push_back(nullptr);
  parts_[0]->resize(index / 64 + 1);
  parts_[0]->wake(index);
  return index;
}

/// Whether modules are still made and bound.
bool clock_domain::elaborating() {
  return sc_core::sc_get_status() & (sc_core::SC_ELABORATION | sc_core::SC_BEFORE_END_OF_ELABORATION);
}

void clock_domain::add_watcher(wire_watcher& watcher) {
  if (!elaborating())
    SC_REPORT_ERROR("spillway/wire_watcher",
                    (std::string(name()) + ": expected who watches wires to be made before the end of the "
                                           "elaboration, after which none is called")
                        .c_str());
  watchers_.push_back(&watcher);
}

void clock_domain::note_data(std::uint32_t block, const void* place) {
  if (!data_[block]) data_[block] = static_cast<const char*>(place);
}

clock_domain::reader_list clock_domain::with_reader(reader_list readers, std::uint32_t block) {
  constexpr std::uint32_t first_group = domain_part::first_group;
  if (readers.first == no_block) return {block, block};
  if (readers.second == readers.first) return {readers.first, block};
  if (readers.second < first_group) {
    groups_.push_back({readers.second});
    readers.second = first_group + static_cast<std::uint32_t>(groups_.size() - 1);
  }
  groups_[readers.second - first_group].push_back(block);
  return readers;
}

void clock_domain::end_of_elaboration() {
  for (wire_watcher* const w : watchers_) w->join_domain();
  if (clk.size() == 0 && period_ == sc_core::SC_ZERO_TIME)
    SC_REPORT_ERROR(
        "spillway/clock_domain",
        (std::string(name()) + ": expected a period above 0, or a clock that clk is bound to").c_str());
  SPILLWAY_HAS_PROCESS(clock_domain);
  if (clk.size() == 0) {
    SC_METHOD(run_free);
  } else {
    SC_METHOD(step);
    sensitive << clk->posedge_event();
    dont_initialize();
  }
}

void clock_domain::start_of_simulation() {
  for (wire_watcher* const w : watchers_) w->begin_simulation();
  watchers_ = {};
}

const sc_core::sc_event& clock_domain::report_follower() const {
  const std::string what =
      std::string(name()) +
      ": a process follows this domain, which calls its blocks and has no edges: expected "
      "the clock that the domain follows";
  SC_REPORT_ERROR("spillway/clock_domain", what.c_str());
  return never_;
}

void clock_domain::run_free() {
  if (size() == 0 && !parts_[0]->has_wires()) return;  // all have joined by now
  if (started_) step();
  const sc_core::sc_time wait = started_ ? period_ : period_ / 2;
  started_ = true;
  sc_core::next_trigger(wait);
}

// Has the cache fetch what a call will touch: the members, with the pins and the state behind them, and the
// data.
inline void clock_domain::fetch(std::size_t block) const {
  const auto lines = [](const void* from, std::size_t count) {
    for (std::size_t line = 0; line < count; ++line) prefetch(static_cast<const char*>(from) + 64 * line);
  };
  lines(blocks_[block], 12);
  if (data_[block]) lines(data_[block], 4);
}

void clock_domain::step() {
  if (parts_.size() > 1) return step_together();
  domain_part& all = *parts_[0];
  all.commit();  // what was written between the edges
  all.now_.swap(all.awake_);
  all.add_due();
  all.now_[0] &= ~(std::uint64_t{1} << no_block);
  all.in_edge_ = 1;
  all.doubts_ ? all.call_all() : all.call_awake<false>();
  all.in_edge_ = 0;
  all.commit();
  ++all.cycle_;
}

void domain_part::wake_group(std::uint32_t group) {
  for (const std::uint32_t block : domain_.groups_[group - first_group]) wake(block);
}

// Out of line, so that asking for the next edge, which is what blocks mostly ask for, is small enough to be
// part of every tick().
void domain_part::set_timer(std::uint64_t cycle, std::uint32_t block) {
  if (doubts_) note_request(cycle, block);
  if (cycle - cycle_ < near_timers_.size())
    near_timers_[cycle % near_timers_.size()].push_back(block);
  else
    far_timers_.emplace(cycle, block);
}

void domain_part::resize(std::size_t words) {
  awake_.resize(words);
  now_.resize(words);
}

/// Its blocks whose time has come.
void domain_part::add_due() {
  for (const std::uint32_t block : sleepless_) call_now(block);
  std::vector<std::uint32_t>& due = near_timers_[cycle_ % near_timers_.size()];
  for (const std::uint32_t block : due) call_now(block);
  due.clear();
  while (!far_timers_.empty() && far_timers_.top().first <= cycle_) {
    call_now(far_timers_.top().second);
    far_timers_.pop();
  }
}

void domain_part::commit() {
  for (const auto& bank : banks_) bank->commit();
}

/// `Beside`: other threads do the same, so who is called is noted.
template <bool Beside>
void domain_part::call_awake() {
  const bool large = domain_.blocks_.size() > cached_blocks;
  stepped* const* const blocks = domain_.blocks_.data();
  for (std::size_t word = 0; word < now_.size(); ++word) {
    std::uint64_t bits = std::exchange(now_[word], 0);
    calls_ += static_cast<unsigned>(__builtin_popcountll(bits));
    for (; bits; bits &= bits - 1) {
      const auto first = static_cast<std::uint32_t>(word * 64);
      if (const std::uint64_t next = bits & (bits - 1); next && large)
        domain_.fetch(first + static_cast<unsigned>(__builtin_ctzll(next)));
      const std::uint32_t block = first + static_cast<unsigned>(__builtin_ctzll(bits));
      if constexpr (Beside) calling_ = block;
      blocks[block]->step();
    }
  }
}
template void domain_part::call_awake<true>();

}  // namespace spillway
