#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <spillway/tb/measure/scoreboard.hpp>
#include <unordered_map>
#include <vector>

namespace spillway {

/// A link as a journey passes it: from node to node. A node is a switch by its number, a terminal by
/// journeys::terminal(), or, by a number after those of the switches, the buffer of a link or the
/// register stages of one that takes several cycles.
struct journey_link {
  int from = 0, to = 0;
};

/// Where a packet's time went, in cycles; their sum is its latency.
struct journey {
  struct stay {
    int node = 0;
    std::uint64_t cycles = 0;
  };
  std::uint64_t source = 0;     ///< from its creation until its source has sent its first flit
  std::uint64_t interface = 0;  ///< from there until that has entered the network
  std::uint64_t arrival = 0;    ///< from its first flit's arrival at the terminal to its last flit's delivery
  std::uint32_t hops = 0;       ///< switches passed
  /// From its first flit's way in to its way out, of each switch and each long link in turn; if they are
  /// kept.
  std::vector<stay> stays;
};

/// Follows packets from link to link by what crosses them. What it says is exact, and it says nothing of
/// packets that it could not follow all the way: of those that became part of others, or were sent again
/// while an earlier copy was still under way.
class journeys {
public:
  /// What comes of a delivery; no journey: it could not be followed.
  using handler = std::function<void(const delivery&, const journey*)>;

  /// `links`: by number; `stays`: whether to keep what the switches took.
  journeys(std::size_t switches, std::vector<journey_link> links, bool stays, handler to);

  static int terminal(std::uint32_t number) { return -1 - static_cast<int>(number); }

  /// A head crosses a link. Within a cycle in any order: what enters the network comes last.
  void crosses(std::uint64_t cycle, std::uint32_t link, const flit& head);
  /// A packet has arrived. `to` hears of it when the cycle is over.
  void delivered(const delivery& d);
  /// A reset: all that is under way is gone.
  void write_off();
  /// No more comes of this cycle.
  void settle();

private:
  struct followed {
    journey way;
    std::uint64_t entered = 0, since = 0;  // the network; the node
    int at = 0;
    bool lost = false;
  };
  struct entry {
    std::uint64_t key;
    std::uint32_t link;
  };
  static std::uint64_t key_of(flit_kind kind, std::uint32_t source, std::uint32_t destination,
                              std::uint32_t packet, unsigned network);
  followed& place_of(std::uint64_t key);
  void forget(std::uint64_t key);
  void pass(followed& f, std::uint64_t cycle, const journey_link& link) const;
  void tell(const delivery& d);
  void proceed(std::uint64_t cycle) {
    if (cycle != cycle_) settle(), cycle_ = cycle;
  }

  const int switches_;
  const std::vector<journey_link> links_;
  const bool stays_;
  const handler to_;
  std::uint64_t cycle_ = 0;
  std::vector<delivery> delivered_;  // in this cycle
  std::vector<entry> entries_;       // into the network, likewise
  std::vector<followed> places_;
  std::vector<std::uint32_t> free_;                             // of them
  std::unordered_map<std::uint64_t, std::uint32_t> by_packet_;  // their places
};

/// Latency by where it was spent, of the packets that it is told of.
class latency_breakdown {
public:
  /// `rows`: of each switch, which of so many stages it counts in.
  latency_breakdown(std::vector<unsigned> row_of_switch, std::size_t rows);

  void add(const journey* way);

  struct amount {
    std::uint64_t packets = 0, cycles = 0, most = 0;
    void add(std::uint64_t n) { ++packets, cycles += n, most = n > most ? n : most; }
  };
  std::uint64_t packets() const { return packets_; }
  std::uint64_t not_followed() const { return not_followed_; }
  /// Sums over all packets, in cycles.
  std::uint64_t source() const { return source_; }
  std::uint64_t interface() const { return interface_; }
  std::uint64_t links() const { return links_; }
  std::uint64_t arrival() const { return arrival_; }
  const std::vector<std::uint64_t>& rows() const { return rows_; }
  /// By switch: what packets took in it.
  const std::vector<amount>& switches() const { return switches_; }

private:
  const std::vector<unsigned> row_of_switch_;
  std::vector<std::uint64_t> rows_;
  std::vector<amount> switches_;
  std::uint64_t packets_ = 0, not_followed_ = 0;
  std::uint64_t source_ = 0, interface_ = 0, links_ = 0, arrival_ = 0;
};

}  // namespace spillway
