#include <spillway/hw/dampening/cache_lines.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <string>

namespace spillway {

using detail::checked;
using detail::need;

void cache_config::check() const {
  need(lines >= 1, "a cache has at least 1 line, found 0");
  need(threads >= 1 && threads <= 64, "1 to 64 threads share a cache, found " + std::to_string(threads));
  need(j >= 1 && j <= lines,
       "expected 1 to " + std::to_string(lines) + " lines a thread, found " + std::to_string(j));
}

cache_lines::cache_lines(const cache_config& config)
    : config_(checked(config)),
      rule_(config.lines, config.j),
      assigned_(make_buffer_sets({set_family::subsets, config.threads, config.lines, config.j, config.seed})),
      holders_(config.threads) {
  cache_lines::clear();
}

void cache_lines::clear() {
  lines_.assign(config_.lines, line{});
  owned_.assign(config_.threads, ends{});
  index_.clear();
  holders_.clear();
  filled_ = 0;
}

bool cache_lines::hot(unsigned thread) const {
  switch (config_.limit) {
    case eviction_limit::counting:
      return holders_.is_among_first(thread, rule_.hotspots(holders_, filled_));
    case eviction_limit::assigned:
      return held(thread) >= config_.j;
    default:
      return false;
  }
}

bool cache_lines::access(unsigned thread, std::uint64_t address) {
  ++now_;
  const auto found = index_.find(address);
  const bool hit = found != index_.end();
  const std::uint32_t l = hit ? found->second : filled_ < config_.lines ? filled_++ : victim(thread);
  line& it = lines_[l];
  if (it.thread != none) unlink(l);
  if (!hit) {
    if (it.thread != none) {
      index_.erase(it.address);
      holders_.decrement(it.thread);
    }
    it.thread = thread;
    it.address = address;
    index_[address] = l;
    holders_.increment(thread);
  }
  it.used = now_;
  link(l);
  return hit;
}

std::uint32_t cache_lines::oldest_of(std::uint32_t a, std::uint32_t b) const {
  if (a == none || b == none) return a == none ? b : a;
  return lines_[a].used < lines_[b].used ? a : b;
}

std::uint32_t cache_lines::victim(unsigned thread) const {
  const bool limited = hot(thread);
  std::uint32_t oldest = none;
  if (limited && config_.limit == eviction_limit::assigned) {
    for (const std::uint32_t l : assigned_[thread]) oldest = oldest_of(oldest, l);
    return oldest;
  }
  unsigned most = 0;
  for (unsigned t = 0; t < config_.threads; ++t) {
    if (!held(t) || (limited && held(t) < held(thread))) continue;
    if (config_.choice == eviction_choice::oldest) {
      oldest = oldest_of(oldest, owned_[t].oldest);
    } else if (held(t) > most) {
      most = held(t);
      oldest = owned_[t].oldest;
    }
  }
  return oldest;
}

void cache_lines::unlink(std::uint32_t l) {
  const line& it = lines_[l];
  ends& list = owned_[it.thread];
  (it.older == none ? list.oldest : lines_[it.older].newer) = it.newer;
  (it.newer == none ? list.newest : lines_[it.newer].older) = it.older;
}

void cache_lines::link(std::uint32_t l) {
  line& it = lines_[l];
  ends& list = owned_[it.thread];
  it.older = list.newest;
  it.newer = none;
  (list.newest == none ? list.oldest : lines_[list.newest].newer) = l;
  list.newest = l;
}

}  // namespace spillway
