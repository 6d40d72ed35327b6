#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/process.hpp>
#include <string>
#include <utility>

namespace spillway {

namespace detail {

clocked* owning_block(const sc_core::sc_object& port) {
  return dynamic_cast<clocked*>(port.get_parent_object());
}

std::pair<clock_domain*, std::uint32_t> place_of(clocked& block) {
  clock_domain* const domain = block.join_domain();
  return {domain, block.domain_index()};
}

void stay_awake(clocked& block) { block.stay_awake(); }

}  // namespace detail

namespace {

// So many blocks touch no more memory than a cache holds that is a core's own.
constexpr std::size_t cached_blocks = 512;

// What lies before a block: whether its memory is the domain's.
struct alignas(std::max_align_t) memory_note {
  bool of_domain;
};

}  // namespace

void* clocked::operator new(std::size_t size) {
  clock_domain* const domain = domain_here();
  const std::size_t whole = sizeof(memory_note) + size;
  void* const place = domain ? domain->hot_memory().allocate(whole, 64) : ::operator new(whole);
  return new (place) memory_note{domain != nullptr} + 1;
}

void clocked::operator delete(void* block) {
  auto* const note = static_cast<memory_note*>(block) - 1;
  if (!note->of_domain) ::operator delete(note);
}

clock_domain* clocked::join_domain() {
  if (domain_) return domain_;
  domain_ = dynamic_cast<clock_domain*>(clk.get_interface());
  if (domain_) index_ = domain_->add(*this);
  const clock_domain* const expected = std::exchange(clk_->expected, nullptr);
  if (expected && expected != domain_)
    SC_REPORT_ERROR("spillway/clock_scope",
                    (std::string(name()) + " was made where the clock domain is '" + expected->name() +
                     "', and its clk is bound to " +
                     (domain_ ? "'" + std::string(domain_->name()) + "'" : "another clock"))
                        .c_str());
  return domain_;
}

void clocked::end_of_elaboration() {
  if (join_domain()) return;
  SPILLWAY_HAS_PROCESS(clocked);
  SC_METHOD(on_signal_edge);
  // posedge_event, not clk.pos(): after elaboration 2.3.4 makes the latter fire on both edges.
  sensitive << clk->posedge_event();
  dont_initialize();
}

clock_domain::clock_domain(const sc_core::sc_module_name& name, const sc_core::sc_time& period)
    : sc_module(name), period_(period) {}

std::uint32_t clock_domain::add(clocked& block) {
  const auto index = static_cast<std::uint32_t>(blocks_.size());
  blocks_.push_back(&block);
  data_.push_back(nullptr);
  awake_.resize(index / 64 + 1);
  now_.resize(awake_.size());
  wake(index);
  return index;
}

void clock_domain::note_data(std::uint32_t block, const void* place) {
  if (!data_[block]) data_[block] = static_cast<const char*>(place);
}

std::uint32_t clock_domain::join_readers(std::uint32_t readers, std::uint32_t block) {
  if (readers == nobody) return block;
  if (readers < first_group) {
    groups_.push_back({readers});
    readers = first_group + static_cast<std::uint32_t>(groups_.size() - 1);
  }
  groups_[readers - first_group].push_back(block);
  return readers;
}

void clock_domain::wake_group(std::uint32_t readers) {
  if (readers == nobody) return;
  for (const std::uint32_t block : groups_[readers - first_group]) wake(block);
}

void clock_domain::end_of_elaboration() {
  SPILLWAY_HAS_PROCESS(clock_domain);
  if (clk.size() == 0) {
    SC_METHOD(run_free);
  } else {
    SC_METHOD(step);
    sensitive << clk->posedge_event();
    dont_initialize();
  }
}

void clock_domain::run_free() {
  if (blocks_.empty()) return;  // all have joined by now
  if (started_) step();
  const sc_core::sc_time wait = started_ ? period_ : period_ / 2;
  started_ = true;
  sc_core::next_trigger(wait);
}

void clock_domain::wake_sleepers() {
  std::vector<std::uint32_t>& due = soon_[cycle_ % soon_.size()];
  for (const std::uint32_t block : due) wake(block);
  due.clear();
  while (!timers_.empty() && timers_.top().first <= cycle_) {
    wake(timers_.top().second);
    timers_.pop();
  }
}

void clock_domain::carry_over() {
  for (const auto& bank : banks_) bank->carry_over();
}

void clock_domain::fetch(std::size_t block) const {
  blocks_[block]->prefetch();
  if (const char* const data = data_[block])
    for (std::size_t line = 0; line < 4; ++line) __builtin_prefetch(data + 64 * line);
}

void clock_domain::step() {
  const bool large = blocks_.size() > cached_blocks;
  carry_over();  // what was written between the edges
  wake_sleepers();
  now_.swap(awake_);
  for (std::size_t word = 0; word < now_.size(); ++word) {
    std::uint64_t bits = now_[word];
    if (!bits) continue;
    now_[word] = 0;
    std::uint64_t again = 0;
    for (; bits; bits &= bits - 1) {
      const auto bit = static_cast<unsigned>(__builtin_ctzll(bits));
      if (const std::uint64_t next = bits & (bits - 1); next && large)
        fetch(word * 64 + static_cast<unsigned>(__builtin_ctzll(next)));
      ++calls_;
      if (blocks_[word * 64 + bit]->edge()) again |= std::uint64_t{1} << bit;
    }
    awake_[word] |= again;
  }
  carry_over();
  ++cycle_;
}

}  // namespace spillway
