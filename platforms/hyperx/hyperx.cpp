#include <algorithm>
#include <numeric>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/hyperx/hyperx.hpp>
#include <spillway/platforms/topology/limits.hpp>

namespace spillway {

using namespace detail;

namespace {

unsigned other_switches_of_lines(const hyperx_shape& shape) {
  return std::accumulate(shape.sizes.begin(), shape.sizes.end(), 0u) -
         static_cast<unsigned>(shape.sizes.size());
}

/// A packet goes one dimension after the other to the switch of its destination, or before that to the switch
/// by way of which it goes. Up to there it has the first class of channels, after it the second; what goes
/// straight has both, until it is in the second. In each class dimensions rise, and no way leads back to the
/// first: so nothing deadlocks.
class hyperx_ways : public routing {
public:
  /// `legs`: 1, or 2 if packets may go by way of a switch.
  hyperx_ways(const routing_context& context, unsigned legs, bool decides_again = false)
      : shape_(*context.shape.facts<hyperx_shape>()),
        switches_(static_cast<unsigned>(context.shape.switches.size())),
        channels_(context.channels),
        legs_(legs) {
    if (legs == 1) return;
    expect(!decides_again,
           "a packet decides again in the other switches of its first region, which is a "
           "single switch here: expected `progressive: false`");
    expect(switches_ <= most_entry_routes, "expected at most " + std::to_string(most_entry_routes) +
                                               " switches to go by way of, found " +
                                               std::to_string(switches_));
    expect(channels_ >= 2, "expected 2 or more virtual channels, as packets go by way of a switch, found 1");
  }

  port_mask outputs(unsigned node, unsigned input, const flit& f) const override {
    const unsigned last = shape_.switch_of_terminal(f.destination);
    const unsigned to = is_last_leg(node, input, f) ? last : f.route;
    return masks::bit(node == to ? f.destination % shape_.terminals : shape_.port_towards(node, to));
  }
  channel_mask channels(unsigned node, unsigned input, unsigned output, const flit& f) const override {
    if (legs_ == 1 || output < shape_.terminals) return ~channel_mask{0};
    const bool straight = f.route == shape_.switch_of_terminal(f.destination);
    if (straight && !in_second_class(input, f)) return ~channel_mask{0};
    return channels_of_class(is_last_leg(node, input, f), 2, channels_);
  }
  // The class of its channel tells how far a packet has come.
  bool memoryless() const override { return true; }
  bool in_order() const override { return legs_ == 1 && channels_ == 1; }

  unsigned regions() const { return switches_; }
  unsigned region_of(unsigned node) const { return node; }
  /// Any, so that all links carry the same, whatever the traffic; an end of the way stands for the straight
  /// one.
  unsigned chosen(std::uint64_t word, unsigned, unsigned) const {
    return static_cast<unsigned>(part_of(word, 32, switches_));
  }
  unsigned switch_of_terminal(unsigned terminal) const { return shape_.switch_of_terminal(terminal); }
  port_mask outputs_to(unsigned node, unsigned other) const {
    return masks::bit(shape_.port_towards(node, other));
  }
  unsigned links(unsigned node, unsigned last) const { return shape_.distance(node, last); }
  unsigned links_by(unsigned node, unsigned by, unsigned last) const {
    return shape_.distance(node, by) + shape_.distance(by, last);
  }

private:
  bool is_last_leg(unsigned node, unsigned input, const flit& f) const {
    return legs_ == 1 || node == f.route || f.route == shape_.switch_of_terminal(f.destination) ||
           in_second_class(input, f);
  }
  bool in_second_class(unsigned input, const flit& f) const {
    const bool came_over_a_link = input >= shape_.terminals;
    return came_over_a_link && f.lane % channels_ >= channels_ / 2;
  }

  const hyperx_shape shape_;
  const unsigned switches_, channels_, legs_;
};

}  // namespace

std::shared_ptr<const routing> hyperx_shape::ways(way_choice choice, const routing_context& context) const {
  return make_ways<hyperx_ways>(choice, context);
}

topology_size hyperx_shape::size() const {
  double switches = 1;
  for (const unsigned size : sizes) switches *= size;
  const double others = other_switches_of_lines(*this);
  return {switches * terminals, switches, switches * (2.0 * terminals + others), terminals + others};
}

std::uint64_t hyperx_shape::bisection() const {
  std::uint64_t switches = 1, fewest = 0;
  for (const unsigned size : sizes) switches *= size;
  for (const unsigned size : sizes)
    if (size % 2 == 0)
      if (const std::uint64_t links = switches * size / 2; !fewest || links < fewest) fewest = links;
  return fewest;
}

unsigned hyperx_shape::port_towards(unsigned node, unsigned other) const {
  unsigned port = terminals;
  for (const unsigned size : sizes) {
    const unsigned here = node % size, there = other % size;
    if (here != there) return port + there - (there > here);
    port += size - 1;
    node /= size;
    other /= size;
  }
  return port;
}

unsigned hyperx_shape::distance(unsigned node, unsigned other) const {
  unsigned links = 0;
  for (const unsigned size : sizes) {
    links += node % size != other % size;
    node /= size;
    other /= size;
  }
  return links;
}

topology make_hyperx(const hyperx_shape& s) {
  expect(s.terminals >= 1 && !s.sizes.empty() &&
             std::all_of(s.sizes.begin(), s.sizes.end(), [](unsigned size) { return size >= 1; }),
         "expected 1 or more dimensions, switches of each line, and terminals of a switch");
  const std::uint64_t ports = std::uint64_t{s.terminals} + other_switches_of_lines(s);
  expect(ports <= most_ports,
         "expected at most 64 ports of a switch, its terminals and the others of its lines together, found " +
             std::to_string(ports));
  unsigned switches = 1;
  for (const unsigned size : s.sizes) switches = times(switches, size);
  times(switches, s.terminals);
  topology t;
  t.known = std::make_shared<hyperx_shape>(s);
  for (unsigned node = 0; node < switches; ++node) {
    const auto v = t.add_switch(node / (switches / s.sizes.back()));
    for (unsigned port = 0; port < s.terminals; ++port) t.join(t.add_terminal(), 0, v, port);
  }
  unsigned stride = 1;
  for (const unsigned size : s.sizes) {
    for (unsigned node = 0; node < switches; ++node)
      for (unsigned place = node / stride % size + 1; place < size; ++place) {
        const unsigned other = node + (place - node / stride % size) * stride;
        t.join(t.switches[node], s.port_towards(node, other), t.switches[other], s.port_towards(other, node));
      }
    stride *= size;
  }
  return t;
}

nlohmann::json hyperx_topology::schema() const {
  return parse_schema(R"({
    "description": "HyperX (Ahn and others, SC 2009): a grid of switches that are joined to all others of their line in each dimension. One size: all switches joined to each other; equal sizes k and k terminals: a flattened butterfly. A switch has at most 64 ports. Each switch is a region of the routings minimal, valiant and ugal, which are free of deadlock with 1, 2 and 2 virtual channels.",
    "properties": {
      "sizes": {
        "type": "array",
        "items": { "type": "integer", "minimum": 1, "maximum": 64 },
        "minItems": 1,
        "maxItems": 28,
        "default": [4, 4],
        "description": "Switches of a line, by dimension."
      },
      "terminals": {
        "type": "integer",
        "minimum": 1,
        "maximum": 64,
        "default": 4,
        "description": "Terminals of a switch."
      }
    }
  })");
}

}  // namespace spillway
