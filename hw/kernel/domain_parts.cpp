#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/thread_team.hpp>
#include <stdexcept>
#include <string>
#include <typeindex>
#include <utility>

// A domain that several threads step. Outputs are registered, so at an edge each thread calls its blocks and
// notes whom their wires wake, all wait for each other, and each shows what its blocks have written. Of an
// edge at which few blocks are awake one thread does all parts, one after another.

namespace spillway {

thread_local domain_part* domain_part::here_ = nullptr;

namespace {

constexpr unsigned most_threads = 64;

// Blocks awake from which on an edge is worth several threads: to wait for each other takes as long as to
// call some blocks.
constexpr unsigned worth_a_team = 64;

// What telling late of an edge takes of all its work: a tenth with packets of one flit, less with longer
// ones.
constexpr double late_work = 0.05;

/// The outermost block around a block, or itself.
const stepped* whole_of(const stepped& block) {
  const stepped* whole = &block;
  for (const auto* o = dynamic_cast<const sc_core::sc_object*>(&block); o; o = o->get_parent_object())
    if (const auto* const around = dynamic_cast<const clocked*>(o)) whole = around;
  return whole;
}

}  // namespace

void clock_domain::use_threads(unsigned threads, unsigned least) {
  if (threads < 1 || threads > most_threads)
    throw std::invalid_argument("a clock domain is stepped by 1 to " + std::to_string(most_threads) +
                                " threads, found " + std::to_string(threads));
  if (!elaborating())
    throw std::logic_error("the threads of a clock domain are to be set before the end of the elaboration");
  wanted_threads_ = threads;
  least_blocks_ = std::max(1u, least);
}

/// Of each block the first one of the module that it is part of, which is stepped by one thread. So are all
/// that are to be kept together.
std::vector<std::uint32_t> clock_domain::leaders() const {
  std::map<const stepped*, std::uint32_t> first_of;  // the whole's blocks
  std::vector<std::uint32_t> leader(blocks_.size());
  for (std::uint32_t b = 1; b < blocks_.size(); ++b)
    leader[b] = first_of.emplace(whole_of(*blocks_[b]), b).first->second;

  const std::set<const stepped*> together(together_.begin(), together_.end());
  std::set<std::uint32_t> joined;  // leaders
  for (std::uint32_t b = 1; b < blocks_.size(); ++b)
    if (together.count(blocks_[b])) joined.insert(leader[b]);
  for (std::uint32_t& l : leader)
    if (joined.count(l)) l = *joined.begin();
  return leader;
}

/// What each leader's blocks have to do, counted in pins. Those of who only watches are of whom it watches.
clock_domain::work clock_domain::count_pins(const std::vector<std::uint32_t>& leader) const {
  work all{std::vector<std::uint64_t>(blocks_.size()), std::vector<std::uint32_t>(blocks_.size(), no_block)};
  std::vector<bool> writes(blocks_.size());
  for (const written_wire& w : written_wires_) {
    ++all.pins[leader[w.writer]];
    writes[leader[w.writer]] = true;
  }
  const auto reads = [&](std::uint32_t reader, std::uint32_t writer) {
    ++all.pins[leader[reader]];
    std::uint32_t& watched = all.watched[leader[reader]];
    if (!writes[leader[reader]] && !watched) watched = leader[writer];
  };
  for (const written_wire& w : written_wires_) {
    const reader_list readers = w.wire->readers();
    if (readers.first != no_block) reads(readers.first, w.writer);
    if (readers.second == readers.first) continue;
    if (readers.second < domain_part::first_group)
      reads(readers.second, w.writer);
    else
      for (const std::uint32_t reader : groups_[readers.second - domain_part::first_group])
        reads(reader, w.writer);
  }
  for (std::uint32_t b = 1; b < blocks_.size(); ++b)
    if (leader[b] == b && all.watched[b]) all.pins[all.watched[b]] += all.pins[b], all.pins[b] = 0;
  return all;
}

/// The part of each block: those of a kind in the order of their numbers, as even as their pins are, but who
/// only watches is with whom it watches. By kinds, as a source takes as long as several switches with as many
/// pins.
std::vector<unsigned> clock_domain::partition(unsigned parts) const {
  const std::vector<std::uint32_t> leader = leaders();
  const work count = count_pins(leader);
  const auto kind_of = [this](std::uint32_t b) {
    const stepped& block = *blocks_[b];
    return std::type_index(typeid(block));
  };
  std::map<std::type_index, std::uint64_t> all, before;
  for (std::uint32_t b = 1; b < blocks_.size(); ++b)
    if (leader[b] == b && !count.watched[b]) all[kind_of(b)] += count.pins[b];
  // Of all work of an edge; the first thread's share of the blocks is less by as much.
  const double late = late_logs_.empty() ? 0 : late_work;
  const double first_share = std::max(0.0, (1.0 / parts - late) / (1 - late));
  const auto part_at = [=](double where) {
    if (where < first_share) return 0u;
    return std::min(parts - 1,
                    1 + static_cast<unsigned>((where - first_share) / (1 - first_share) * (parts - 1)));
  };
  std::vector<unsigned> part_of(blocks_.size(), 0);
  for (std::uint32_t b = 1; b < blocks_.size(); ++b) {
    if (leader[b] != b || count.watched[b]) continue;
    const std::uint64_t whole = all[kind_of(b)], middle = before[kind_of(b)] + count.pins[b] / 2;
    part_of[b] = whole ? part_at(static_cast<double>(middle) / static_cast<double>(whole)) : 0;
    before[kind_of(b)] += count.pins[b];
  }
  for (std::uint32_t b = 1; b < blocks_.size(); ++b)
    if (leader[b] == b && count.watched[b]) part_of[b] = part_of[count.watched[b]];
  for (std::uint32_t b = 1; b < blocks_.size(); ++b) part_of[b] = part_of[leader[b]];
  return part_of;
}

void clock_domain::divide() {
  begun_ = true;
  const unsigned worthwhile = static_cast<unsigned>(
      std::max<std::size_t>(1, std::min<std::size_t>(most_threads, size() / least_blocks_)));
  unsigned threads = std::min(wanted_threads_, worthwhile);
  if (threads < wanted_threads_)
    why_fewer_ = std::to_string(size()) + " blocks are too few, each thread should have " +
                 std::to_string(least_blocks_);
  if (threads > 1 && reaches_out_ != no_block) {
    threads = 1;
    why_fewer_ = std::string(blocks_[reaches_out_]->full_name()) +
                 " reaches beyond its clock domain: to signals, sockets or another domain";
  }
  if (threads > 1 && parts_[0]->doubts_) {
    threads = 1;
    why_fewer_ = "sleepers are doubted one by one";
  }
  if (threads > 1) distribute(threads);
  written_wires_.clear();
  written_wires_.shrink_to_fit();
}

void clock_domain::distribute(unsigned threads) {
  const std::vector<unsigned> part_of = partition(threads);
  domain_part& first = *parts_[0];
  first.commit();
  for (unsigned n = 1; n < threads; ++n) parts_.push_back(std::make_unique<domain_part>(*this, n));
  for (const auto& part : parts_) {
    part->resize(first.awake_.size());
    part->last_.resize(first.awake_.size());
    part->own_.resize(first.awake_.size());
  }
  for (std::uint32_t b = 1; b < blocks_.size(); ++b) {
    domain_part& part = *parts_[part_of[b]];
    part.own_[b >> 6] |= std::uint64_t{1} << (b & 63);
    blocks_[b]->part_ = &part;
  }
  for (const written_wire& w : written_wires_)
    if (part_of[w.writer] != 0) w.wire->move_to(*parts_[part_of[w.writer]]);
  first.hand_over_timers(parts_, part_of);
  for (const auto* const logs : {&logs_, &late_logs_})
    for (after_edge* const log : *logs) log->use_parts(threads);
  team_ = std::make_unique<thread_team>(threads, [this](unsigned n) {
    n == 0 ? step_first() : parts_[n]->step_beside(parts_);
    team_->meet();
    parts_[n]->commit();
  });
}

/// What was asked before the first edge.
void domain_part::hand_over_timers(const std::vector<std::unique_ptr<domain_part>>& all,
                                   const std::vector<unsigned>& part_of) {
  for (std::size_t slot = 0; slot < near_timers_.size(); ++slot)
    for (const std::uint32_t block : std::exchange(near_timers_[slot], {}))
      all[part_of[block]]->near_timers_[slot].push_back(block);
  for (auto far = std::exchange(far_timers_, {}); !far.empty(); far.pop())
    all[part_of[far.top().second]]->far_timers_.push(far.top());
}

void clock_domain::step_together() {
  for (const auto& part : parts_) {
    part->commit();  // what was written between the edges
    part->last_.swap(part->awake_);
  }
  std::size_t awake = 0;  // a block that two parts have woken counts twice
  for (const auto& part : parts_)
    awake += part->sleepless_.size() + part->near_timers_[part->cycle_ % part->near_timers_.size()].size();
  for (std::size_t word = 0; awake < worth_a_team && word < parts_[0]->last_.size(); ++word)
    for (const auto& part : parts_) awake += static_cast<unsigned>(__builtin_popcountll(part->last_[word]));
  if (awake >= worth_a_team) {
    team_->run();
  } else {
    step_first();
    for (std::size_t n = 1; n < parts_.size(); ++n) parts_[n]->step_beside(parts_);
    for (const auto& part : parts_) part->commit();
  }
  for (after_edge* const log : late_logs_) log->end_edge();
  for (after_edge* const log : logs_) {
    log->end_edge();
    log->hand_on();
  }
  for (const auto& part : parts_) ++part->cycle_;
  for (const auto& part : parts_)
    if (part->failed_) std::rethrow_exception(std::exchange(part->failed_, nullptr));
  make_reports();
}

/// What blocks have reported at the edge, in the order of the blocks.
void clock_domain::make_reports() {
  std::vector<domain_part::report> all;
  for (const auto& part : parts_) {
    std::move(part->reports_.begin(), part->reports_.end(), std::back_inserter(all));
    part->reports_.clear();
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.block < b.block; });
  for (const domain_part::report& r : all) SC_REPORT_ERROR(r.type.c_str(), r.text.c_str());
}

/// The edge of the first part, and what was said late of the one before.
void clock_domain::step_first() {
  domain_part& first = *parts_[0];
  first.step_beside(parts_);
  try {
    catch_up();
  } catch (...) {
    if (!first.failed_) first.failed_ = std::current_exception();
  }
}

/// An edge of this part but for what it shows, which comes when all parts have got so far. Other threads may
/// do the same for theirs.
void domain_part::step_beside(const std::vector<std::unique_ptr<domain_part>>& all) {
  here_ = this;
  std::fill(awake_.begin(), awake_.end(), 0);
  for (std::size_t word = 0; word < now_.size(); ++word) {
    std::uint64_t woken = 0;
    for (const auto& part : all) woken |= part->last_[word];
    now_[word] = woken & own_[word];
  }
  add_due();
  in_edge_ = 1;
  try {
    call_awake<true>();
  } catch (...) {
    failed_ = std::current_exception();
  }
  in_edge_ = 0;
  here_ = nullptr;
}

}  // namespace spillway
