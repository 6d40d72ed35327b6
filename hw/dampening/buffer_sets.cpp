#include <algorithm>
#include <numeric>
#include <spillway/hw/dampening/buffer_sets.hpp>
#include <spillway/hw/dampening/perfect_family.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/kernel/draw.hpp>

namespace spillway {

using detail::need;

namespace {

constexpr std::uint64_t most_subsets = std::uint64_t{1} << 63;

unsigned digits_of(std::uint32_t processors) {
  unsigned digits = 1;
  while (digits < 32 && (std::uint64_t{1} << digits) < processors) ++digits;
  return digits;
}

/// Numbers for one mapping, a stream a processor.
class draws {
public:
  draws(std::uint64_t seed, std::uint32_t processor) : seed_(seed), processor_(processor) {}
  std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(part_of(draw(seed_, processor_, moment_++), 32, n));
  }

private:
  const std::uint64_t seed_, processor_;
  std::uint64_t moment_ = 0;
};

/// A drawn bijection of 0..n-1: x -> (a x + c) mod n with a prime to n.
class renumbering {
public:
  renumbering(std::uint64_t seed, std::uint64_t n) : n_(n), shift_(draw(seed, 1, 0) % n) {
    std::uint64_t moment = 0;
    do factor_ = draw(seed, 2, moment++) >> 32;
    while (std::gcd(factor_, n) != 1);
  }
  std::uint64_t operator()(std::uint32_t x) const {
    const std::uint64_t product = factor_ * x % n_;
    return product >= n_ - shift_ ? product - (n_ - shift_) : product + shift_;
  }

private:
  const std::uint64_t n_, shift_;
  std::uint64_t factor_ = 1;
};

std::vector<std::uint32_t> distinct_draws(const buffer_sets_config& c, draws& dice, bool repeats) {
  std::vector<std::uint32_t> set;
  while (set.size() < c.choices) {
    const std::uint32_t b = dice.below(c.buffers);
    const bool known = std::find(set.begin(), set.end(), b) != set.end();
    if (!known || repeats) set.push_back(b);
  }
  return set;
}

std::vector<std::uint32_t> arithmetic(const buffer_sets_config& c, draws& dice) {
  const std::uint32_t a = dice.below(c.buffers);
  std::uint32_t b = 0;
  do b = dice.below(c.buffers);
  while (std::gcd(b, c.buffers) != 1);
  std::vector<std::uint32_t> set;
  for (std::uint64_t i = 0; i < c.choices; ++i)
    set.push_back(static_cast<std::uint32_t>((a + i * b) % c.buffers));
  return set;
}

std::vector<std::uint32_t> by_digits(std::uint64_t number, unsigned digits) {
  std::vector<std::uint32_t> set;
  for (unsigned i = 0; i < digits; ++i) set.push_back(2 * i + static_cast<std::uint32_t>(number >> i & 1));
  return set;
}

void drop_repetitions(std::vector<std::uint32_t>& set) {
  std::vector<std::uint32_t> seen;
  for (const std::uint32_t b : set)
    if (std::find(seen.begin(), seen.end(), b) == seen.end()) seen.push_back(b);
  set = std::move(seen);
}

void shuffle(std::vector<std::uint32_t>& set, draws& dice) {
  for (auto left = static_cast<std::uint32_t>(set.size()); left > 1; --left)
    std::swap(set[left - 1], set[dice.below(left)]);
}

}  // namespace

std::uint64_t subsets_of(std::uint32_t n, std::uint32_t k) {
  if (k > n) return 0;
  std::uint64_t result = 1;
  for (std::uint64_t i = 1; i <= std::min(k, n - k); ++i) {
    const std::uint64_t factor = n - std::min(k, n - k) + i;
    // result * factor / i without overflow: i divides the product of i successive numbers.
    const std::uint64_t common = std::gcd(result, i);
    if (result / common > most_subsets / (factor / (i / common))) return most_subsets;
    result = result / common * (factor / (i / common));
  }
  return result;
}

std::vector<std::uint32_t> subset_at(std::uint64_t rank, std::uint32_t k) {
  std::vector<std::uint32_t> set(k);
  for (std::uint32_t left = k; left > 0; --left) {
    std::uint32_t largest = left - 1;
    while (subsets_of(largest + 1, left) <= rank) ++largest;
    rank -= subsets_of(largest, left);
    set[left - 1] = largest;
  }
  return set;
}

void buffer_sets_config::check() const {
  const std::string B = std::to_string(buffers), P = std::to_string(processors), j = std::to_string(choices);
  need(processors >= 1 && buffers >= 1, "expected processors and buffers, found " + P + " and " + B);
  if (family == set_family::unique) {
    need(buffers >= 2, "half of the buffers are at least 1: expected 2 buffers or more, found " + B);
    need(subsets_of(buffers, buffers / 2) >= processors,
         P + " processors have no distinct subsets of half of " + B + " buffers: expected more buffers");
    return;
  }
  if (family == set_family::binary_digits) {
    need(buffers >= 2 * digits_of(processors), "binary digits of " + P + " processors need " +
                                                   std::to_string(2 * digits_of(processors)) +
                                                   " buffers, found " + B);
    return;
  }
  need(choices >= 1, "expected at least 1 buffer a processor, found 0");
  if (family == set_family::per_processor)
    need(buffers == std::uint64_t{processors} * choices,
         "a buffer for each processor: expected " + P + " x " + j + " buffers, found " + B);
  if (family == set_family::subsets || family == set_family::double_hash)
    need(choices <= buffers, "expected at most " + B + " different buffers a processor, found " + j);
  if (family == set_family::perfect) {
    need(buffers % choices == 0,
         "the family H(j, B) needs a j that divides B, found j = " + j + " and B = " + B);
    const std::uint64_t sets = perfect_family_q(choices, buffers).size() * (buffers / choices);
    need(sets >= processors, "H(" + j + ", " + B + ") has " + std::to_string(sets) +
                                 " sets, which is less than " + P + " processors");
  }
}

buffer_sets make_buffer_sets(const buffer_sets_config& c) {
  c.check();
  buffer_sets sets(c.processors);
  buffer_sets members;
  if (c.family == set_family::perfect)
    members = perfect_family(c.choices, c.buffers, perfect_family_q(c.choices, c.buffers));
  const std::uint64_t numbers = c.family == set_family::unique ? subsets_of(c.buffers, c.buffers / 2)
                                : c.family == set_family::perfect
                                    ? members.size()
                                    : std::uint64_t{1} << digits_of(c.processors);
  const renumbering number(c.seed, numbers);
  for (std::uint32_t p = 0; p < c.processors; ++p) {
    draws dice(c.seed, p);
    switch (c.family) {
      case set_family::per_processor:
        sets[p].resize(c.choices);
        std::iota(sets[p].begin(), sets[p].end(), p * c.choices);
        break;
      case set_family::tuples:
      case set_family::subsets:
        sets[p] = distinct_draws(c, dice, c.family == set_family::tuples);
        break;
      case set_family::double_hash:
        sets[p] = arithmetic(c, dice);
        break;
      case set_family::unique:
        sets[p] = subset_at(number(p), c.buffers / 2);
        break;
      case set_family::binary_digits:
        sets[p] = by_digits(number(p), digits_of(c.processors));
        break;
      case set_family::perfect:
        sets[p] = members[number(p)];
        break;
    }
    drop_repetitions(sets[p]);
    shuffle(sets[p], dice);
  }
  return sets;
}

}  // namespace spillway
