#pragma once
#include <cstdint>
#include <spillway/hw/dampening/buffer_sets.hpp>
#include <spillway/hw/dampening/dampening_rule.hpp>
#include <spillway/hw/dampening/impact_array.hpp>
#include <unordered_map>
#include <vector>

namespace spillway {

/// Which lines a thread may evict (Kuszmaul and Kuszmaul, section X).
enum class eviction_limit {
  none,      ///< any: plain LRU
  counting,  ///< a hot thread: those brought in by threads that hold at least as many lines as it
  assigned,  ///< a hot thread: those of the j lines that it is hashed to
};

/// Which of the lines that a thread may evict goes, where the limit is not a set of lines.
enum class eviction_choice {
  oldest,   ///< the least recently used: what the paper gives as an example for a cool thread
  hottest,  ///< the least recently used of the thread that holds most, so that who is cool can grow
};

/// Size of a shared cache, and who may evict whom.
struct cache_config {
  unsigned lines = 64;                          ///< B, at least 1
  unsigned threads = 2;                         ///< P, 1 to 64
  eviction_limit limit = eviction_limit::none;  ///< how hot threads are held back
  unsigned j = 32;         ///< lines that a thread without rivals may have before it is hot, 1 to B
  std::uint64_t seed = 1;  ///< of the assigned lines
  eviction_choice choice = eviction_choice::oldest;  ///< of the lines that a thread may evict

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

/// The lines of a fully associative cache that threads share. A thread is hot by the rule of dampening
/// switches where the limit counts, and while it holds at least j lines where lines are assigned. In a full
/// cache that rule finds every thread hot, and what then counts is that no thread evicts a cooler one's
/// lines. O(P) steps an access, O(P + j) with assigned lines. A plain part, not a block.
class cache_lines {
public:
  explicit cache_lines(const cache_config& config);  ///< throws as cache_config::check()

  /// Looks an address up, and brings it in if it is not there. True on a hit.
  bool access(unsigned thread, std::uint64_t address);
  /// Lines that the thread has brought in and that are still there.
  unsigned held(unsigned thread) const { return holders_.value(thread); }
  bool hot(unsigned thread) const;  ///< it may not evict all lines now
  void clear();                     ///< reset: no line is filled

private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  struct line {
    std::uint64_t address = 0, used = 0;       // when last
    std::uint32_t older = none, newer = none;  // of the same thread
    std::uint32_t thread = none;               // who brought it in
  };
  struct ends {
    std::uint32_t oldest = none, newest = none;
  };

  std::uint32_t victim(unsigned thread) const;
  std::uint32_t oldest_of(std::uint32_t a, std::uint32_t b) const;
  void unlink(std::uint32_t l);
  void link(std::uint32_t l);

  const cache_config config_;
  const dampening_rule rule_;
  const buffer_sets assigned_;  // by thread
  std::vector<line> lines_;
  std::vector<ends> owned_;  // by thread, in order of use
  std::unordered_map<std::uint64_t, std::uint32_t> index_;
  impact_array holders_;
  std::uint32_t filled_ = 0;  // lines 0..filled - 1 have been used
  std::uint64_t now_ = 0;
};

}  // namespace spillway
