#include <algorithm>
#include <numeric>
#include <spillway/hw/dampening/perfect_family.hpp>
#include <stdexcept>

namespace spillway {
namespace {

void require_division(std::uint32_t j, std::uint32_t B) {
  if (j == 0 || B == 0 || B % j != 0)
    throw std::invalid_argument("the family H(j, B) needs a j that divides B");
}

/// The r of the set of q that holds each buffer: q is prime to B, so its sets partition the buffers.
std::vector<std::uint32_t> holders(std::uint32_t j, std::uint32_t B, std::uint32_t q) {
  std::vector<std::uint32_t> holder(B);
  for (std::uint64_t x = 1; x <= B; ++x) {
    holder[static_cast<std::size_t>(x * q % B)] = static_cast<std::uint32_t>((x - 1) / j);
  }
  return holder;
}

/// The corrected condition: no u, v in 1..j-1 with u q = v q' or u q + v q' = B. Two elements that sets of q
/// and q' share differ by u q and by v q' modulo B, and q, q' <= B/j leaves only these two cases; so it
/// suffices.
bool never_meet_twice(std::uint32_t j, std::uint32_t B, std::uint32_t q, std::uint32_t other) {
  const auto multiple = [&](std::uint64_t x) { return x > 0 && x % other == 0 && x / other < j; };
  for (std::uint64_t u = 1; u < j; ++u) {
    if (multiple(u * q) || multiple(B - u * q)) return false;
  }
  return true;
}

/// The sets themselves, for pairs that fail the condition: the blocks may be placed so that they still do not
/// meet.
bool share_at_most_one(std::uint32_t j, std::uint32_t B, std::uint32_t q,
                       const std::vector<std::uint32_t>& holder) {
  std::vector<std::uint32_t> seen(B / j, 0);
  for (std::uint64_t x = 1; x <= B; ++x) {
    const auto r = static_cast<std::uint32_t>((x - 1) / j + 1);
    auto& last = seen[holder[static_cast<std::size_t>(x * q % B)]];
    if (last == r) return false;
    last = r;
  }
  return true;
}

/// Takes each candidate that goes with those already taken.
std::vector<std::uint32_t> greedy(std::uint32_t j, std::uint32_t B,
                                  const std::vector<std::uint32_t>& candidates) {
  std::vector<std::uint32_t> Q;
  buffer_sets holder;
  for (const std::uint32_t q : candidates) {
    bool fits = std::find(Q.begin(), Q.end(), q) == Q.end();
    for (std::size_t i = 0; fits && i < Q.size(); ++i) {
      fits = never_meet_twice(j, B, q, Q[i]) || share_at_most_one(j, B, q, holder[i]);
    }
    if (!fits) continue;
    Q.push_back(q);
    holder.push_back(holders(j, B, q));
  }
  std::sort(Q.begin(), Q.end());
  return Q;
}

bool is_odd_prime(std::uint32_t q) {
  if (q < 3 || q % 2 == 0) return false;
  for (std::uint32_t t = 3; t * t <= q; t += 2) {
    if (q % t == 0) return false;
  }
  return true;
}

}  // namespace

buffer_sets perfect_family(std::uint32_t j, std::uint32_t B, const std::vector<std::uint32_t>& Q) {
  require_division(j, B);
  buffer_sets sets;
  for (const std::uint64_t q : Q) {
    for (std::uint64_t r = 0; r < B / j; ++r) {
      auto& set = sets.emplace_back();
      for (std::uint64_t t = 1; t <= j; ++t)
        set.push_back(static_cast<std::uint32_t>((r * q * j + t * q) % B));
    }
  }
  return sets;
}

std::vector<std::uint32_t> perfect_family_q_as_printed(std::uint32_t j, std::uint32_t B) {
  require_division(j, B);
  std::vector<std::uint32_t> Q;
  for (std::uint32_t prime = 3; prime <= B / j; prime += 2) {
    if (!is_odd_prime(prime)) continue;
    std::uint64_t power = prime;
    while (power * power <= j) power *= prime;
    if (power <= B / j) Q.push_back(static_cast<std::uint32_t>(power));
  }
  std::sort(Q.begin(), Q.end());
  return Q;
}

std::vector<std::uint32_t> perfect_family_q(std::uint32_t j, std::uint32_t B) {
  require_division(j, B);
  std::vector<std::uint32_t> upward;
  for (std::uint32_t q = 1; q <= B / j; ++q) {
    if (std::gcd(q, B) == 1) upward.push_back(q);
  }
  const std::vector<std::uint32_t> downward(upward.rbegin(), upward.rend());
  // The order decides how many fit and none is always best: the paper's own first, smallest first, largest
  // first.
  std::vector<std::uint32_t> printed;
  for (const std::uint32_t q : perfect_family_q_as_printed(j, B)) {
    if (std::gcd(q, B) == 1) printed.push_back(q);
  }
  printed.insert(printed.end(), upward.begin(), upward.end());
  std::vector<std::uint32_t> best;
  for (const auto& order : {printed, upward, downward}) {
    auto Q = greedy(j, B, order);
    if (Q.size() > best.size()) best = std::move(Q);
  }
  return best;
}

}  // namespace spillway
