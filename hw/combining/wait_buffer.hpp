#pragma once
#include <cstdint>
#include <deque>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/kernel/hardware_size.hpp>
#include <spillway/hw/links/flit.hpp>
#include <unordered_map>
#include <vector>

namespace spillway {

/// Requests are told apart by source and packet number, which the head of a reply bears too.
inline std::uint64_t request_key(std::uint32_t source, std::uint32_t packet) {
  return std::uint64_t{source} << 32 | packet;
}

/// A reply, and what is known of its request.
struct reply_branch {
  flit reply;              ///< one flit
  unsigned port = 0;       ///< of the switch, by which the request came
  std::uint64_t word = 0;  ///< the interface's word of the request
  bool split = false;      ///< from another reply, so that it has a record until it leaves
};

/// Which requests have been made part of others in a switch, until the replies to those come (the wait buffer
/// of Pfister and Norton, and of the NYU Ultracomputer). A record is a merged request: whom it is from, by
/// which port it came, and what its interface's word says; then the reply to it, until that has a place
/// elsewhere. A plain part, not a block.
class wait_buffer {
public:
  /// `records`: that it holds; 0: any number.
  explicit wait_buffer(unsigned records) : limit_(records) {}

  bool full() const { return limit_ && records_ >= limit_; }  ///< it can take no other request
  unsigned limit() const { return limit_; }                   ///< records that it has; 0: any number
  unsigned records() const { return records_; }            ///< merged requests in it, and replies split off
  unsigned most_records() const { return most_records_; }  ///< the most that it has ever held
  /// Forgets all requests; what has been counted stays.
  void clear();
  /// Adds `combining.merged`, `combining.refused` (as refuse() was told); in one buffer at most:
  /// `combining.most_records`.
  void count(counters& all) const;

  /// A combinable request has found it full.
  void refuse() { ++refused_; }
  /// `merged`, which came in by `port`, becomes part of `survivor`. Not when full: std::logic_error.
  void merge(const flit& survivor, const flit& merged, unsigned port);
  /// Appends to `branches` a reply for each request that was merged into the one that `reply` answers, in the
  /// order of merging. Their records stay taken until they leave().
  void split(const flit& reply, std::deque<reply_branch>& branches);
  /// A reply that was split off has a place elsewhere.
  void leave() { --records_; }

  /// Records that it can hold: the merged request's terminal, number, port and word, and by whose key they
  /// are found. Without a bound it is no hardware, and counts for nothing.
  hardware_size storage(unsigned ports) const {
    return limit_ * hardware_size{0, 2, 2u * 32u + 40u + bits_below(ports)};
  }

private:
  struct record {
    std::uint32_t source, packet;
    unsigned port;
    std::uint64_t word;
  };

  const unsigned limit_;
  unsigned records_ = 0, most_records_ = 0;
  std::uint64_t merged_ = 0, refused_ = 0;
  std::unordered_map<std::uint64_t, std::vector<record>> merged_into_;  // by the key of the survivor
};

}  // namespace spillway
