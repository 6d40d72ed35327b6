#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <spillway/platforms/topology/generators.hpp>
#include <spillway/platforms/topology/limits.hpp>

namespace spillway {

namespace {

using namespace detail;

template <class T>
void shuffle(std::vector<T>& list, boost::random::mt19937_64& random) {
  for (std::size_t n = list.size(); n > 1; --n)
    std::swap(list[n - 1], list[boost::random::uniform_int_distribution<std::size_t>(0, n - 1)(random)]);
}

/// Inputs of a block for the outputs of one digit of the block before, output by output; each group of
/// `dilation` outputs belongs to one switch.
class splitter {
public:
  splitter(unsigned switches, unsigned inputs, unsigned dilation, boost::random::mt19937_64& random)
      : inputs_(inputs), dilation_(dilation) {
    for (unsigned i = 0; i < switches * inputs; ++i) line_.push_back(i);
    shuffle(line_, random);
    if (switches >= dilation) part(random);
  }
  unsigned line(unsigned output) const { return line_[output]; }

private:
  unsigned switch_of(std::size_t output) const { return line_[output] / inputs_; }
  bool twice(std::size_t output) const {
    const std::size_t first = output / dilation_ * dilation_;
    for (std::size_t o = first; o < first + dilation_; ++o)
      if (o != output && switch_of(o) == switch_of(output)) return true;
    return false;
  }
  /// Exchanges lines until no switch is joined twice to another.
  void part(boost::random::mt19937_64& random) {
    boost::random::uniform_int_distribution<std::size_t> any(0, line_.size() - 1);
    for (std::size_t o = 0; o < line_.size(); ++o)
      while (twice(o)) {
        const std::size_t other = any(random);
        std::swap(line_[o], line_[other]);
        if (twice(other) && other < o) std::swap(line_[o], line_[other]);
      }
  }

  const unsigned inputs_, dilation_;
  std::vector<unsigned> line_;
};

}  // namespace

topology make_multibutterfly(unsigned radix, unsigned stages, unsigned dilation, std::uint64_t wiring_seed) {
  check_multistage(radix, stages);
  expect(dilation >= 1 && radix * dilation <= most_ports, "expected a dilation of 1.." +
                                                              std::to_string(most_ports / radix) +
                                                              ", found " + std::to_string(dilation));
  topology t;
  t.kind = "multibutterfly";
  t.radix = radix;
  t.stages = stages;
  t.dilation = stages > 1 ? dilation : 1;
  const unsigned terminals = power(radix, stages), column = terminals / radix;
  for (unsigned i = 0; i < terminals; ++i) t.add_terminal();
  for (unsigned stage = 0; stage < stages; ++stage)
    for (unsigned s = 0; s < column; ++s) t.add_switch(stage);
  for (unsigned i = 0; i < terminals; ++i) t.add_link(t.terminals[i], 0, t.switches[i / radix], i % radix);
  boost::random::mt19937_64 random(wiring_seed);
  for (unsigned stage = 0; stage + 1 < stages; ++stage) {
    const unsigned size = column / power(radix, stage),
                   part = size / radix;  // switches of a block, of the next
    for (unsigned block = 0; block < column; block += size)
      for (unsigned digit = 0; digit < radix; ++digit) {
        const splitter wiring(part, radix * dilation, dilation, random);
        const unsigned next = (stage + 1) * column + block + digit * part;
        for (unsigned o = 0; o < size * dilation; ++o)
          t.add_link(t.switches[stage * column + block + o / dilation], digit * dilation + o % dilation,
                     t.switches[next + wiring.line(o) / (radix * dilation)],
                     wiring.line(o) % (radix * dilation));
      }
  }
  for (unsigned i = 0; i < terminals; ++i)
    t.add_link(t.switches[(stages - 1) * column + i / radix], i % radix, t.terminals[i], 0);
  return t;
}

topology make_xgft(const std::vector<unsigned>& children, const std::vector<unsigned>& parents) {
  expect(!children.empty(), "expected the children of at least one level");
  expect(parents.size() + 1 == children.size(), "expected the parents of " +
                                                    std::to_string(children.size() - 1) + " levels, found " +
                                                    std::to_string(parents.size()));
  topology t;
  t.kind = "xgft";
  t.children = children;
  t.parents = parents;
  unsigned terminals = 1, copies = 1;
  for (std::size_t l = 0; l < children.size(); ++l) {
    const unsigned above = l < parents.size() ? parents[l] : 0;
    expect(children[l] >= 1 && (above >= 1 || l == parents.size()) && children[l] + above <= most_ports,
           "expected 1 or more children and parents and at most 64 together, found " +
               std::to_string(children[l]) + " and " + std::to_string(above));
    terminals = times(terminals, children[l]);
  }
  for (unsigned i = 0; i < terminals; ++i) t.add_terminal();
  const auto join = [&t](graph::vertex_descriptor below, unsigned up, graph::vertex_descriptor above,
                         unsigned down) {
    t.add_link(below, up, above, down);
    t.add_link(above, down, below, up);
  };
  // A switch of a level is a subtree (of so many terminals) and one of the copies of its root.
  std::size_t below = 0;  // first switch of the level below
  unsigned subtrees = terminals, copies_below = 1;
  for (std::size_t l = 0; l < children.size(); ++l) {
    const std::size_t first = t.switches.size();
    const unsigned parts = subtrees;
    subtrees /= children[l];
    if (l > 0) copies = times(copies, parents[l - 1]);
    for (unsigned s = 0; s < times(subtrees, copies); ++s) t.add_switch(static_cast<unsigned>(l));
    for (unsigned part = 0; part < parts; ++part) {
      if (l == 0) {
        join(t.terminals[part], 0, t.switches[part / children[0]], part % children[0]);
        continue;
      }
      for (unsigned copy = 0; copy < copies_below; ++copy)
        for (unsigned up = 0; up < parents[l - 1]; ++up)
          join(t.switches[below + std::size_t{part} * copies_below + copy], children[l - 1] + up,
               t.switches[first + std::size_t{part / children[l]} * copies + copy * parents[l - 1] + up],
               part % children[l]);
    }
    below = first;
    copies_below = copies;
  }
  return t;
}

}  // namespace spillway
