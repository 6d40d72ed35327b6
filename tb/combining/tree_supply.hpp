#pragma once
#include <deque>
#include <memory>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/tb/combining/combining_tree.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <vector>

namespace spillway {

// Bits of flit::traffic_class of messages along a combining tree, beside those in traffic.hpp.
constexpr std::uint8_t tree_up = 2;    ///< a value, to the parent
constexpr std::uint8_t tree_down = 4;  ///< the result, to a child
static_assert((tree_up | tree_down) == software_message);

/// How terminals combine in software.
struct tree_rules {
  terminal_tree tree;
  /// Barriers: a terminal computes, arrives, and when its children have arrived too it tells its parent; the
  /// root tells all that they may go on. 0: no barriers, but a stream, in which a terminal tells its parent
  /// of each message that it has for the hot spot, and the root tells all as often as it has one itself.
  std::uint64_t episodes = 0;
  double think = 0;  ///< with barriers: mean cycles that a terminal computes, exponential
  std::uint64_t seed = 1;
};

/// What all terminals of a tree did, for measurement only: nothing reads it back. The order of the calls
/// within a cycle does not matter.
class tree_watch {
public:
  explicit tree_watch(const terminal_tree& tree);

  /// Number of a broadcast or barrier, from 0 on after each reset.
  struct number {
    std::uint64_t resets, since;
  };
  /// The root starts a broadcast.
  void started(std::uint64_t cycle, number n);
  /// A terminal other than the root hears of it.
  void heard(std::uint64_t cycle, number n);
  /// A terminal comes to a barrier.
  void arrived(std::uint64_t cycle, number n);
  /// `tree.depth`, `tree.most_children`; `tree.broadcasts`, those that all have heard; `tree.delay`, mean
  /// cycles from the start of those to the arrival at a terminal; `tree.barrier`, mean cycles from the last
  /// arrival at a barrier until the last terminal hears.
  void count(counters& all) const;

private:
  struct broadcast {
    std::uint64_t start = 0, heard = 0, last = 0;
    double sum = 0;  // of the cycles until it was heard
  };
  const std::uint64_t listeners_;
  unsigned depth_ = 0;
  std::size_t most_children_ = 0;
  std::vector<std::vector<broadcast>> broadcasts_;        // by resets before them
  std::vector<std::vector<std::uint64_t>> last_arrival_;  // by resets and barrier
};

/// Software combining (Dandamudi and Eager, section 3.3.2): the traffic of a terminal, whose combinable
/// messages go no further than to its parent in a tree, and the broadcasts of the root, which every terminal
/// passes on to its children. Messages along the tree are not answered. Broadcasts must arrive in the order
/// in which they were sent, which they do where routes are fixed.
class tree_supply final : public packet_supply {
public:
  /// `length`: flits of a message along the tree.
  tree_supply(std::shared_ptr<const tree_rules> rules, std::shared_ptr<tree_watch> watch,
              std::uint32_t terminal, std::uint16_t length, std::unique_ptr<packet_supply> own);

  std::uint64_t due(std::uint64_t now, std::size_t backlog) override;
  packet_order take(std::uint64_t now) override;
  void arrived(std::uint64_t now, const flit& f) override;
  bool exhausted() const override;
  bool listens() const override { return true; }
  bool shares() const override { return true; }  // the watch
  std::uint64_t forget() override;

private:
  struct message {
    std::uint64_t due;
    packet_order order;
  };
  packet_order along(std::uint32_t terminal, std::uint8_t traffic_class) const;
  void tell_children(std::uint64_t due);
  void hear(std::uint64_t now);
  void think(std::uint64_t now);
  void come_to_barrier(std::uint64_t now);
  void join(std::uint64_t now);
  bool is_root() const { return terminal_ == rules_->tree.root; }

  const std::shared_ptr<const tree_rules> rules_;
  const std::shared_ptr<tree_watch> watch_;
  const std::uint32_t terminal_;
  const std::uint16_t length_;
  const std::unique_ptr<packet_supply> own_;
  random_stream thinking_;
  std::deque<message> waiting_;
  std::uint64_t resets_ = 0;
  std::uint64_t heard_ = 0;           // broadcasts
  std::uint64_t barrier_ = 0;         // the one that it is on its way to, from 0
  std::uint64_t arrives_at_ = never;  // at that barrier
  bool thinks_ = false;               // from the next cycle on
  std::size_t missing_ = 0;           // of itself and its children at that barrier
};

}  // namespace spillway
