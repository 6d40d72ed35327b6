#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/multistage/multibutterfly.hpp>
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
  const multistage_shape shape(radix, stages, 0, dilation);
  check_multistage(shape);
  expect(dilation >= 1 && radix * dilation <= most_ports, "expected a dilation of 1.." +
                                                              std::to_string(most_ports / radix) +
                                                              ", found " + std::to_string(dilation));
  topology t;
  t.known = std::make_shared<multistage_shape>(shape);
  t.least_ports = radix;
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

nlohmann::json multibutterfly_topology::schema() const {
  nlohmann::json keys = parse_schema(R"({
    "description": "Butterfly whose switches have several outputs for each digit of the destination, wired at random to the switches that lead there (Leighton and Maggs).",
    "required": ["stages"],
    "properties": {
      "radix": {
        "type": "integer",
        "minimum": 2,
        "maximum": 64,
        "default": 4,
        "description": "Digits; there are radix^stages terminals."
      },
      "stages": {},
      "dilation": {
        "type": "integer",
        "minimum": 1,
        "maximum": 32,
        "default": 2,
        "description": "Outputs for each digit, but in the last stage."
      },
      "wiring_seed": {
        "type": "integer",
        "minimum": 0,
        "maximum": 9007199254740991,
        "default": 1,
        "description": "Seed of the wiring; the network is the same whatever the seed of the traffic."
      }
    }
  })");
  keys["properties"]["stages"] = stages_key();
  return keys;
}

}  // namespace spillway
