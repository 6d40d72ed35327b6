#include <algorithm>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/dragonfly/dragonfly_routing.hpp>

namespace spillway {

using namespace masks;

namespace {

/// Straight ways, and what those by way of a group are made of.
class straight : public routing {
public:
  /// `legs`: links between groups of the longest way.
  explicit straight(const routing_context& context, unsigned legs = 1)
      : shape_(*context.shape.facts<dragonfly_shape>()), channels_(context.channels), most_legs_(legs) {
    const unsigned h = shape_.global_links;
    links_.resize(std::size_t{shape_.switches} * (shape_.groups - 1));
    for (unsigned place = 0; place + 1 < shape_.groups; ++place)
      for (unsigned copy = 0; copy < shape_.links_between_groups(); ++copy) {
        const unsigned end = shape_.end_of(place, copy);
        links_[std::size_t{place} * shape_.switches + end / h] |= bit(shape_.first_global_port() + end % h);
      }
  }

  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    const unsigned there = shape_.switch_of_terminal(f.destination);
    switch (legs(node, f)) {
      case 0:
        return bit(node == there ? f.destination % shape_.terminals : shape_.port_to(node, there));
      case 1:
        return to_group(node, shape_.group_of(there));
      default:
        return to_group(node, f.route);
    }
  }

  channel_mask channels(unsigned node, unsigned, unsigned output, const flit& f) const override {
    if (output < shape_.terminals) return ~channel_mask{0};
    const unsigned order = most_legs_ - legs(node, f);
    return of_class(order, output < shape_.first_global_port() ? most_legs_ + 1 : most_legs_);
  }
  // Where it is tells a packet how far it has come.
  bool memoryless() const override { return true; }
  bool in_order() const override {
    return most_legs_ == 1 && channels_ == 1 && shape_.links_between_groups() <= 1;
  }

protected:
  const dragonfly_shape& shape() const { return shape_; }

  /// Ports to another group, or to the switches of this one that have such; the first if there are both.
  port_mask to_group(unsigned node, unsigned group) const {
    const unsigned place = shape_.place_of(shape_.group_of(node), group);
    const port_mask* const links = &links_[std::size_t{place} * shape_.switches];
    if (links[node % shape_.switches]) return links[node % shape_.switches];
    port_mask ports = 0;
    for (unsigned other = 0; other < shape_.switches; ++other)
      if (links[other]) ports |= bit(shape_.port_to(node, other));
    return ports;
  }

private:
  /// Links between groups that the packet has still to take.
  unsigned legs(unsigned node, const flit& f) const {
    const unsigned here = shape_.group_of(node), there = shape_.group_of_terminal(f.destination);
    if (here == there) return 0;
    return most_legs_ == 1 || f.route == here || f.route == there ? 1 : 2;
  }

  channel_mask of_class(unsigned number, unsigned classes) const {
    const unsigned first = number * channels_ / classes, end = (number + 1) * channels_ / classes;
    return low_bits(std::max(end, first + 1)) & ~low_bits(first);
  }

  const dragonfly_shape shape_;
  const unsigned channels_, most_legs_;
  std::vector<port_mask> links_;  // by place of a group and switch: ports of its own that lead there
};

/// By way of a group that is drawn from the packet's number: no state, and alike on every kernel.
class by_way : public straight {
public:
  explicit by_way(const routing_context& context) : straight(context, 2), seed_(context.seed) {}

  unsigned entry_routes() const override { return shape().groups; }
  unsigned at_entry(unsigned node, unsigned, const flit& head, const output_load&) const override {
    return drawn(node, head);
  }

protected:
  /// The packet's own group if there is none other to go by.
  unsigned drawn(unsigned node, const flit& head) const {
    const unsigned here = shape().group_of(node), there = shape().group_of_terminal(head.destination);
    if (here == there || shape().groups < 3) return here;
    const std::uint64_t word =
        draw(seed_, std::uint64_t{head.network} << 32 | head.source, 0x64666c79u ^ head.packet);
    auto group = static_cast<unsigned>(part_of(word, 32, shape().groups - 2));
    group += group >= std::min(here, there);
    return group + (group >= std::max(here, there));
  }

private:
  const std::uint64_t seed_;
};

class ugal final : public by_way {
public:
  explicit ugal(const routing_context& context)
      : by_way(context), threshold_(context.parameters.at("threshold")) {}

  unsigned at_entry(unsigned node, unsigned, const flit& head, const output_load& load) const override {
    const unsigned here = shape().group_of(node), there = shape().group_of_terminal(head.destination);
    const unsigned by = drawn(node, head);
    if (by == here) return here;
    const unsigned last = shape().switch_of_terminal(head.destination);
    const std::int64_t straight_on = delay(load, to_group(node, there)) * hops(node, last);
    const std::int64_t round_about = delay(load, to_group(node, by)) * hops_by(node, by, last);
    return straight_on <= round_about + threshold_ ? here : by;
  }

private:
  static std::int64_t delay(const output_load& load, port_mask outputs) {
    unsigned least = ~0u;
    for (; outputs; outputs &= outputs - 1) least = std::min(least, load.waiting(lowest(outputs)));
    return least;
  }

  /// Links between switches on the shortest way from one group to another that passes on to `rest` from the
  /// switch that it comes to.
  template <class F>
  unsigned hops_to_group(unsigned node, unsigned group, F&& rest) const {
    const unsigned from = shape().group_of(node), h = shape().global_links, a = shape().switches;
    unsigned fewest = ~0u;
    for (unsigned copy = 0; copy < shape().links_between_groups(); ++copy) {
      const unsigned start = from * a + shape().end_of(shape().place_of(from, group), copy) / h;
      const unsigned end = group * a + shape().end_of(shape().place_of(group, from), copy) / h;
      fewest = std::min(fewest, (start != node) + 1 + rest(end));
    }
    return fewest;
  }
  unsigned hops(unsigned node, unsigned last) const {
    return hops_to_group(node, shape().group_of(last), [&](unsigned end) { return unsigned{end != last}; });
  }
  unsigned hops_by(unsigned node, unsigned group, unsigned last) const {
    return hops_to_group(node, group, [&](unsigned end) { return hops(end, last); });
  }

  const std::int64_t threshold_;
};

}  // namespace

nlohmann::json minimal_routing::schema() const {
  return {{"description",
           "Straight to the group of the destination, for the topology dragonfly; free of deadlock with 2 or "
           "more virtual channels."}};
}
nlohmann::json valiant_routing::schema() const {
  return {{"description",
           "By way of a group drawn for each packet (Valiant), for the topology dragonfly; free of deadlock "
           "with 3 or more virtual channels."}};
}
nlohmann::json ugal_routing::schema() const {
  return parse_schema(R"({
    "description": "Straight, or by way of a drawn group if that promises less by what waits where the packet enters (UGAL-L), for the topology dragonfly; free of deadlock with 3 or more virtual channels.",
    "properties": {
      "threshold": {
        "type": "integer",
        "minimum": -1000000,
        "maximum": 1000000,
        "default": 0,
        "description": "A packet goes straight unless the flits that wait for its output there, times the links of the way, are by so much more than for the other."
      }
    }
  })");
}

std::shared_ptr<const routing> minimal_routing::make(const routing_context& context) const {
  return std::make_shared<straight>(context);
}
std::shared_ptr<const routing> valiant_routing::make(const routing_context& context) const {
  return std::make_shared<by_way>(context);
}
std::shared_ptr<const routing> ugal_routing::make(const routing_context& context) const {
  return std::make_shared<ugal>(context);
}

}  // namespace spillway
