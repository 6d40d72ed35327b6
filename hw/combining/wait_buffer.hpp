#pragma once
#include <cstdint>
#include <deque>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/flit.hpp>
#include <unordered_map>
#include <vector>

namespace spillway {

/// A reply, and the port that it leaves by.
struct reply_branch {
  flit reply;         ///< one flit
  unsigned port = 0;  ///< of the switch, by which the request came
};

/// What a combining switch knows of the requests that have passed it and are not answered: by which port each
/// came, so that its reply goes the same way back, and which others it was made one with there (the wait
/// buffer of Pfister and Norton, and of the NYU Ultracomputer).
///
/// Requests are told apart by source and packet number, which the head of a reply bears too. Where the way
/// back follows from the requester's address, hardware keeps only the merged ones; here the port is kept for
/// all, which is right for any topology and routing. `ways` counts them as records where they are. A request
/// that cannot be merged cannot be stopped either, so its way is noted also in a full buffer. A plain part,
/// not a block.
class wait_buffer {
public:
  /// `records`: that it holds, merged requests and, with `ways`, those that have passed; 0: any number.
  explicit wait_buffer(unsigned records, bool ways = false) : limit_(records), ways_(ways) {}

  /// Whether it can take no merged request.
  bool full() const { return limit_ && records_ + (ways_ ? passed_.size() : 0) >= limit_; }
  /// Merged requests in it.
  unsigned records() const { return records_; }
  /// Requests that have passed and are not answered, merged ones apart.
  std::size_t passed() const { return passed_.size(); }
  /// The most merged requests that it has ever held.
  unsigned most_records() const { return most_records_; }
  /// Forgets all requests; what has been counted stays.
  void clear();
  /// Adds `combining.merged`, `combining.refused` (as refuse() was told); in one buffer at most:
  /// `combining.most_records`, of merged requests, and with `ways` `combining.most_ways`.
  void count(counters& all) const;

  /// A combinable request has found it full.
  void refuse() { ++refused_; }
  /// A request goes on; it came in by `port`.
  void pass(const flit& request, unsigned port);
  /// `merged`, which came in by `port`, becomes part of `survivor`, which has passed. Not when full.
  void merge(const flit& survivor, const flit& merged, unsigned port);
  /// Appends to `branches` where the reply goes and one reply to each request that was merged into the one
  /// that it answers, in the order of merging, and forgets them all. Says whether such a request has passed.
  bool answer(const flit& reply, std::deque<reply_branch>& branches);

private:
  struct record {
    std::uint32_t source, packet;
    unsigned port;
  };
  struct passage {
    unsigned port;
    std::vector<record> merged;
  };
  static std::uint64_t key(std::uint32_t source, std::uint32_t packet) {
    return std::uint64_t{source} << 32 | packet;
  }

  const unsigned limit_;
  const bool ways_;
  unsigned records_ = 0, most_records_ = 0;
  std::size_t most_ways_ = 0;
  std::uint64_t merged_ = 0, refused_ = 0;
  std::unordered_map<std::uint64_t, passage> passed_;
};

}  // namespace spillway
