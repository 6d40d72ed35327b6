#include <algorithm>
#include <spillway/hw/dram/dram_module.hpp>
#include <stdexcept>

namespace spillway {

namespace {
constexpr std::uint64_t never = packet_supply::never;
}  // namespace

void dram_config::check() const {
  timing.check();
  geometry.check();
  if (queue < 1) throw std::invalid_argument("a memory module has a queue of at least 1 request, found 0");
}

dram_module::dram_module(const sc_core::sc_module_name& name, unsigned terminal, const dram_config& config,
                         endpoint_observer& observer)
    : memory_front(name),
      terminal_(terminal),
      config_(config),
      observer_(observer),
      banks_(config.timing, config.geometry),
      refresh_at_(config.timing.tREFI ? config.timing.tREFI : never) {
  config.check();
}

void dram_module::reset() {
  lost_ += held_requests();
  queue_.clear();
  served_.clear();
  banks_.reset();
  if (config_.timing.tREFI) refresh_at_ = cycle() + config_.timing.tREFI;
  if (is_full_) full_ += cycle() - full_from_;
  ready_ = within_ = is_full_ = false;
  in.ready.write(0);
  arrivals[0].valid.write(false);
}

void dram_module::tick() {
  next_ = never;
  take();
  arrivals[0].valid.write(false);
  if (!served_.empty() && served_.front().at <= cycle()) {
    arrivals[0].valid.write(true);
    arrivals[0].data.write(served_.front().tail);
    served_.erase(served_.begin());
    ask(cycle() + 1);  // the pin goes low again
  }
  if (cycle() >= refresh_at_)
    refresh();
  else
    schedule();
  if (cycle() < refresh_at_) ask(refresh_at_);
  if (!served_.empty()) ask(served_.front().at);
  // A packet that has begun has its place; what is shown now is sampled at the next edge.
  ready_ = within_ || held_requests() < config_.queue;
  if (ready_ == is_full_) {
    is_full_ = !ready_;
    if (is_full_)
      full_from_ = cycle();
    else
      full_ += cycle() - full_from_;
  }
  in.ready.write(ready_ ? 1 : 0);
  if (ready_ && in.valid.read()) ask(cycle() + 1);
  if (next_ != never) wake_at(std::max(next_, cycle() + 1));
}

void dram_module::take() {
  if (!ready_ || !in.valid.read() || in.data.read().lane != 0) return;
  const flit& f = in.data.read();
  observer_.delivered(cycle(), terminal_, f);
  within_ = !f.tail();
  if (within_) return;
  const dram_access asked = dram_access::of(data_of(f));
  request r;
  r.tail = f;
  r.where = config_.geometry.place(asked.access);
  r.write = asked.write;
  r.came = cycle();
  queue_.push_back(r);
}

/// Closes all rows, then refreshes all banks; nothing else is given meanwhile.
void dram_module::refresh() {
  bool closed = true;
  for (unsigned bank = 0; bank < config_.geometry.banks; ++bank) {
    const std::optional<std::uint32_t> row = banks_.open_row(bank);
    if (!row) continue;
    const std::uint64_t from = banks_.earliest(dram_command::precharge, bank);
    if (from <= cycle()) {
      give(dram_command::precharge, bank, *row);
      return ask(cycle() + 1);
    }
    ask(from);
    closed = false;
  }
  if (!closed) return;
  const std::uint64_t from = banks_.earliest(dram_command::refresh, 0);
  if (from > cycle()) return ask(from);
  give(dram_command::refresh, 0, 0);
  ++refreshes_;
  refresh_at_ += config_.timing.tREFI;
  ask(cycle() + 1);
}

/// One command at most.
void dram_module::schedule() {
  if (queue_.empty()) {
    if (config_.closes) close_idle_row();
    return;
  }
  const bool first_only = config_.in_order || queue_.front().passed >= config_.patience;
  const std::size_t candidates = first_only ? 1 : queue_.size();
  for (std::size_t i = 0; i < candidates; ++i)
    if (serve(i)) return;
  for (std::size_t i = 0; i < candidates; ++i)
    if (prepare(i)) return;
  if (config_.closes) close_idle_row();
}

/// Reads or writes, if its row is open.
bool dram_module::serve(std::size_t index) {
  request& r = queue_[index];
  if (banks_.open_row(r.where.bank) != r.where.row) return false;
  const dram_command command = r.write ? dram_command::write : dram_command::read;
  const std::uint64_t from = banks_.earliest(command, r.where.bank);
  if (from > cycle()) {
    ask(from);
    return false;
  }
  give(command, r.where.bank, r.where.row);
  const std::uint64_t end = banks_.data_end(command, cycle());
  const served done{r.tail, end};
  served_.insert(std::upper_bound(served_.begin(), served_.end(), done,
                                  [](const served& a, const served& b) { return a.at < b.at; }),
                 done);
  ++(r.write ? writes_ : reads_);
  hits_ += !r.opened;
  waited_ += end - r.came;
  for (std::size_t i = 0; i < index; ++i) ++queue_[i].passed;
  queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(index));
  ask(cycle() + 1);
  return true;
}

/// Closes the row that is in its way, or opens its own.
bool dram_module::prepare(std::size_t index) {
  request& r = queue_[index];
  const std::optional<std::uint32_t> open = banks_.open_row(r.where.bank);
  if (open == r.where.row) return false;
  const bool urgent = index == 0 && (config_.in_order || r.passed >= config_.patience);
  // A row stays open for those that wait for it, unless the oldest has waited long enough.
  if (open && !urgent && is_wanted({r.where.bank, *open})) return false;
  const dram_command command = open ? dram_command::precharge : dram_command::activate;
  const std::uint64_t from = banks_.earliest(command, r.where.bank);
  if (from > cycle()) {
    ask(from);
    return false;
  }
  give(command, r.where.bank, r.where.row);
  if (command == dram_command::activate) {
    ++activations_;
    r.opened = true;
  }
  ask(cycle() + 1);
  return true;
}

bool dram_module::is_wanted(const dram_place& row) const {
  return std::any_of(queue_.begin(), queue_.end(),
                     [&](const request& r) { return r.where.bank == row.bank && r.where.row == row.row; });
}

void dram_module::close_idle_row() {
  for (unsigned bank = 0; bank < config_.geometry.banks; ++bank) {
    const std::optional<std::uint32_t> open = banks_.open_row(bank);
    if (!open || is_wanted({bank, *open})) continue;
    const std::uint64_t from = banks_.earliest(dram_command::precharge, bank);
    if (from <= cycle()) {
      give(dram_command::precharge, bank, *open);
      ask(cycle() + 1);
      return;
    }
    ask(from);
  }
}

void dram_module::give(dram_command command, unsigned bank, std::uint32_t row) {
  banks_.issue(command, bank, cycle(), row);
  if (on_command) on_command(cycle(), command, bank, row);
}

void dram_module::count(counters& all) const {
  all["dram.reads"] += static_cast<double>(reads_);
  all["dram.writes"] += static_cast<double>(writes_);
  all["dram.row_hits"] += static_cast<double>(hits_);
  all["dram.activations"] += static_cast<double>(activations_);
  all["dram.data_cycles"] += static_cast<double>((reads_ + writes_) * config_.timing.tCCD);
  all["dram.refreshes"] += static_cast<double>(refreshes_);
  all["dram.waited"] += static_cast<double>(waited_);
  all["dram.full_cycles"] += static_cast<double>(full_ + (is_full_ ? cycle() - full_from_ : 0));
}

}  // namespace spillway
