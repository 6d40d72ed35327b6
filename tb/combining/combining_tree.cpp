#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <spillway/tb/combining/combining_tree.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

namespace {

constexpr std::uint64_t tree_purpose = 3;  // of the random stream

/// Shares out the nodes of one level of a cube among those of the level above, nodes numbered relative to the
/// root: a node's parent is the node without one of its bits.
class level_assignment {
public:
  level_assignment(unsigned dimension, std::vector<std::uint32_t>& parent, random_stream& stream)
      : dimension_(dimension), parent_(parent), load_(std::size_t{1} << dimension), stream_(stream) {}

  void assign(std::vector<std::uint32_t> nodes) {
    for (std::size_t i = nodes.size(); i > 1; --i) std::swap(nodes[i - 1], nodes[below(i)]);
    for (const std::uint32_t n : nodes) {
      parent_[n] = least_loaded(n);
      ++load_[parent_[n]];
    }
    // Greedy choices may have been bad ones: move nodes along chains of parents until no chain leads from one
    // parent to another with at least two fewer.
    for (const std::uint32_t n : nodes)
      while (relieve(parent_[n])) {
      }
  }

private:
  std::size_t below(std::size_t n) {
    return boost::random::uniform_int_distribution<std::size_t>(0, n - 1)(stream_);
  }

  std::uint32_t least_loaded(std::uint32_t node) {
    std::vector<std::uint32_t> best;
    for (std::uint32_t bits = node; bits; bits &= bits - 1) {
      const std::uint32_t candidate = node & ~(bits & (~bits + 1));
      if (!best.empty() && load_[candidate] > load_[best.front()]) continue;
      if (!best.empty() && load_[candidate] < load_[best.front()]) best.clear();
      best.push_back(candidate);
    }
    return best[below(best.size())];
  }

  /// Moves one child away from `from`, to a parent with at least two fewer, by a shortest chain. Says whether
  /// there is one.
  bool relieve(std::uint32_t from) {
    std::vector<std::uint32_t> by(load_.size(), 0), reached{from};  // by: the child that leads there
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const std::uint32_t p = reached[at];
      if (load_[p] + 2 <= load_[from]) {
        shift(from, p, by);
        return true;
      }
      for (unsigned b = 0; b < dimension_; ++b) {
        const std::uint32_t child = p | std::uint32_t{1} << b;
        if (child == p || parent_[child] != p) continue;
        for (std::uint32_t bits = child; bits; bits &= bits - 1) {
          const std::uint32_t other = child & ~(bits & (~bits + 1));
          if (other == from || by[other]) continue;
          by[other] = child;
          reached.push_back(other);
        }
      }
    }
    return false;
  }

  void shift(std::uint32_t from, std::uint32_t to, const std::vector<std::uint32_t>& by) {
    --load_[from];
    ++load_[to];
    while (to != from) {
      const std::uint32_t child = by[to], before = parent_[child];
      parent_[child] = to;
      to = before;
    }
  }

  const unsigned dimension_;
  std::vector<std::uint32_t>& parent_;
  std::vector<std::uint32_t> load_;  // children, by parent
  random_stream& stream_;
};

/// Parents in a cube, nodes numbered relative to its root, which is 0.
std::vector<std::uint32_t> balanced_parents(unsigned dimension, random_stream& stream) {
  std::vector<std::vector<std::uint32_t>> levels(dimension + 1);
  for (std::uint32_t n = 0; n < std::uint32_t{1} << dimension; ++n)
    levels[static_cast<unsigned>(__builtin_popcount(n))].push_back(n);
  std::vector<std::uint32_t> parent(std::size_t{1} << dimension);
  level_assignment assignment(dimension, parent, stream);
  for (unsigned level = 1; level <= dimension; ++level) assignment.assign(levels[level]);
  return parent;
}

terminal_tree with_children(terminal_tree tree) {
  tree.children.resize(tree.parent.size());
  for (std::uint32_t t = 0; t < tree.terminals(); ++t)
    if (t != tree.root) tree.children[tree.parent[t]].push_back(t);
  return tree;
}

}  // namespace

terminal_tree cube_tree(unsigned dimension, unsigned cluster, std::uint32_t root, std::uint64_t seed) {
  if (dimension > 20 || cluster > dimension || root >> dimension)
    throw std::invalid_argument("no tree of dimension " + std::to_string(dimension) + ", cluster " +
                                std::to_string(cluster) + " and root " + std::to_string(root));
  random_stream stream = make_stream(seed, 0, tree_purpose);
  terminal_tree tree;
  tree.root = root;
  tree.parent.resize(std::size_t{1} << dimension);
  const std::uint32_t low = (std::uint32_t{1} << cluster) - 1;
  const std::vector<std::uint32_t> clusters = balanced_parents(dimension - cluster, stream);
  for (std::uint32_t c = 0; c < clusters.size(); ++c) {
    const std::uint32_t head = root ^ c << cluster;
    const std::vector<std::uint32_t> nodes = balanced_parents(cluster, stream);
    tree.parent[head] = root ^ clusters[c] << cluster;
    for (std::uint32_t n = 1; n <= low; ++n) tree.parent[head ^ n] = head ^ nodes[n];
  }
  return with_children(std::move(tree));
}

terminal_tree fan_in_tree(std::uint32_t terminals, std::uint32_t fan_in, std::uint32_t root) {
  if (fan_in < 1 || root >= terminals)
    throw std::invalid_argument("no tree of " + std::to_string(terminals) + " terminals with fan-in " +
                                std::to_string(fan_in) + " and root " + std::to_string(root));
  terminal_tree tree;
  tree.root = root;
  tree.parent.resize(terminals);
  for (std::uint32_t place = 0; place < terminals; ++place)
    tree.parent[(place + root) % terminals] = ((place ? (place - 1) / fan_in : 0) + root) % terminals;
  return with_children(std::move(tree));
}

}  // namespace spillway
