#pragma once
#include <boost/range/iterator_range.hpp>
#include <cstdint>
#include <spillway/hw/switching/routing.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/link_table.hpp>
#include <spillway/platforms/topology/rule_book.hpp>
#include <utility>
#include <vector>

namespace spillway {

/// Follows up to 64 flows side by side, as most of them ask for the same. A flow is the packets to one
/// terminal, or of one terminal to another with one route that is written at the entry. Channel c of link l
/// has the number l * channels + c; flow i of the block is bit i of a mask.
class flow_block {
public:
  using number = std::uint32_t;
  using mask = std::uint64_t;
  static constexpr unsigned most = 64;

  /// A channel that some flow comes to.
  struct stop {
    number channel, first_group;  // in groups(); none: a terminal is there
  };
  /// Flows that ask for the same there.
  struct group {
    mask flows;
    number first, end;  // of the wishes
    number next;        // group of the stop, or none
  };
  static constexpr number none = ~number{0};

  flow_block(const topology& shape, const routing& routes, const analysis_options& options);

  /// By destination alone, for all sources together.
  bool together() const { return together_; }
  /// Routes that may be written at the entry, at least 1.
  unsigned words() const { return words_; }
  std::uint64_t flows() const { return flows_; }
  const link_table& links() const { return links_; }
  unsigned channels() const { return channels_; }
  number link_of(number channel) const { return channel / channels_; }
  bool adaptive() const { return escape_ != 0; }
  bool is_escape(number channel) const { return escape_ >> channel % channels_ & 1; }

  /// Throws std::invalid_argument if a packet ends at a wrong terminal, or has no way on or no escape.
  void follow(const std::vector<std::uint64_t>& flows);

  const std::vector<stop>& stops() const { return stops_; }
  /// The stop at a channel that a flow of the block comes to.
  number stop_at(number channel) const { return at_[channel].stop; }
  mask reached(number channel) const { return at_[channel].reached; }
  const std::vector<group>& groups() const { return groups_; }
  auto wishes_of(const group& g) const {
    return boost::make_iterator_range(wishes_.data() + g.first, wishes_.data() + g.end);
  }

private:
  struct visit {
    number channel, source;
    mask flows;
  };
  struct mark {
    mask reached;
    number stop;
  };
  using channel_list = std::vector<std::pair<number, channel_mask>>;  // links, and which channels of them
  struct request {
    channel_list channels;
    mask flows;  // that ask for them
  };
  /// What flows ask for at one place.
  struct request_list {
    mask known;         // flows that have been asked
    std::size_t count;  // of the list; what is behind is kept for its memory
    std::vector<request> list;
  };

  void start(const std::vector<std::uint64_t>& flows);
  void enter(number source, mask flows);
  void reach(number channel, number source, mask flows);
  void go_on(const visit& here);
  void arrive(number link, mask flows) const;
  /// Adds what those of the flows ask for that are not known there.
  void ask_all(const visit& here, request_list& there);
  /// Finds what a packet that has come by the link asks for.
  void ask(number link, const flit& head, channel_list& found) const;
  /// Notes that the flows ask for these channels, and sends them there.
  void take(const visit& here, mask flows, const channel_list& ways);

  const topology& shape_;
  const routing& routes_;
  const bool together_, by_node_;
  const unsigned channels_, words_;
  const channel_mask all_, escape_;
  const std::uint64_t flows_;
  const link_table links_;
  std::vector<mark> at_;     // by channel
  std::vector<flit> heads_;  // by flow
  std::vector<visit> visits_;
  std::vector<stop> stops_;
  std::vector<group> groups_;
  std::vector<channel_wish> wishes_;
  std::vector<request_list> asked_;  // by switch if it is asked by switch; else at the stop that is left
};

}  // namespace spillway
