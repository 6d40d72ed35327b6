#include <algorithm>
#include <cmath>
#include <numeric>
#include <spillway/tb/dram/access_stream.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

namespace {

constexpr std::uint64_t access_purpose = 24, table_purpose = 25;

std::uint64_t below64(std::uint64_t n, random_stream& random) {
  if (n >> 32 == 0) return below(static_cast<std::uint32_t>(n), random);
  return boost::random::uniform_int_distribution<std::uint64_t>(0, n - 1)(random);
}

}  // namespace

void access_config::check() const {
  if (what == pattern::hot_page && page > space)
    throw std::invalid_argument("the hot page lies in the space of " + std::to_string(space) +
                                " accesses: expected fewer, found " + std::to_string(page));
  if (what == pattern::embedding && std::uint64_t{entries} * entry > space)
    throw std::invalid_argument("the table lies in the space of " + std::to_string(space) +
                                " accesses: expected fewer, found " + std::to_string(entries) +
                                " entries of " + std::to_string(entry));
}

embedding_table::embedding_table(const access_config& config)
    : up_to_(config.entries), entries_(config.entries) {
  for (std::uint32_t k = 0; k < config.entries; ++k) up_to_[k] = std::pow(k + 1.0, -config.skew);
  std::partial_sum(up_to_.begin(), up_to_.end(), up_to_.begin());
  std::iota(entries_.begin(), entries_.end(), 0);
  random_stream random = make_stream(config.seed, 0, table_purpose);
  for (std::uint32_t i = config.entries; i > 1; --i) std::swap(entries_[i - 1], entries_[below(i, random)]);
}

std::uint32_t embedding_table::draw(random_stream& random) const {
  const double u = uniform(random) * up_to_.back();
  const auto at = std::upper_bound(up_to_.begin(), up_to_.end() - 1, u) - up_to_.begin();
  return entries_[static_cast<std::size_t>(at)];
}

access_stream::access_stream(const access_config& config, std::shared_ptr<const embedding_table> table,
                             std::uint32_t processor)
    : config_(config),
      table_(std::move(table)),
      processor_(processor),
      random_(make_stream(config.seed, processor, access_purpose)) {}

namespace {

/// a b modulo m, all up to 2^40, in 64 bits.
std::uint64_t product(std::uint64_t a, std::uint64_t b, std::uint64_t m) {
  constexpr unsigned half = 20;
  return ((a * (b >> half) % m << half) + a * (b & ((1u << half) - 1))) % m;
}

}  // namespace

std::uint64_t access_stream::next() {
  const std::uint64_t number = made_++;
  switch (config_.what) {
    case access_config::pattern::stride:
      return product((number * config_.processors + processor_) % config_.space, config_.stride,
                     config_.space);
    case access_config::pattern::hot_page:
      return uniform(random_) < config_.hot ? below64(config_.page, random_)
                                            : below64(config_.space, random_);
    case access_config::pattern::embedding:
      if (number % config_.entry == 0) within_ = std::uint64_t{table_->draw(random_)} * config_.entry;
      return within_ + number % config_.entry;
    case access_config::pattern::uniform:
      break;
  }
  return below64(config_.space, random_);
}

}  // namespace spillway
