#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace spillway {

/// S_p, the buffers (0..B-1) that messages for processor p may use, for p = 0, 1, ...
using buffer_sets = std::vector<std::vector<std::uint32_t>>;

/// How processors are mapped to buffers (Kuszmaul and Kuszmaul, sections I and IV to VII).
enum class set_family {
  per_processor,  ///< the P-buffer strategy: j buffers of its own for each processor
  tuples,         ///< j independent draws, in which a buffer may be drawn more than once
  subsets,        ///< j different buffers, each such set as likely as any other
  double_hash,    ///< (a + i b) mod B of two hashes a and b, b prime to B, so that the j are different
  unique,         ///< a subset of floor(B/2) buffers that no other processor has
  binary_digits,  ///< bit i of the number selects buffer 2i or 2i + 1
  perfect,        ///< H(j, B): any two sets share at most one buffer, so j - 1 hotspots block nobody
};

/// Which mapping, and its parameters by the letters of the paper.
struct buffer_sets_config {
  set_family family = set_family::unique;  ///< the mapping
  std::uint32_t processors = 2;            ///< P, at least 1
  std::uint32_t buffers = 13;  ///< B, at least 1; unique: 2; per_processor: P j; perfect: a multiple of j
  std::uint32_t choices = 6;   ///< j; not used by `unique` and `binary_digits`
  /// Which of the mappings of the family: two switches with different seeds have independent ones.
  std::uint64_t seed = 0;

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// The sets of all processors, each without repetitions and in the order in which a message tries its
/// buffers. That order is drawn, so that messages for coolspots spread over their buffers.
buffer_sets make_buffer_sets(const buffer_sets_config& config);

/// C(n, k), at most 2^63.
std::uint64_t subsets_of(std::uint32_t n, std::uint32_t k);
/// The k-subset of 0, 1, 2, ... with number `rank` in colexicographic order, ascending.
std::vector<std::uint32_t> subset_at(std::uint64_t rank, std::uint32_t k);

}  // namespace spillway
