#include <algorithm>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/dragonfly/dragonfly.hpp>

namespace spillway {

using namespace masks;

namespace {

/// A packet goes to the switch of its group that has a link to the next group, over that link, and in the
/// last group to its switch.
///
/// The links of a way have classes of channels in the order in which it takes them, which frees them of
/// deadlock (Kim and others, section 4.1): straight local 0, global 0, local 1; by way of a group local 0,
/// global 0, local 1, global 1, local 2. What goes straight has the last ones. If it may decide again in its
/// first group its links there have a class before all these. The virtual channels of a link are dealt out to
/// its classes; with fewer channels than classes some share one.
class dragonfly_ways : public routing {
public:
  /// `legs`: links between groups of the longest way. `decides_again`: a packet may turn from the straight
  /// way in its first group.
  dragonfly_ways(const routing_context& context, unsigned legs, bool decides_again = false)
      : shape_(*context.shape.facts<dragonfly_shape>()),
        channels_(context.channels),
        most_legs_(legs),
        undecided_(decides_again ? 1 : 0) {
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
        return outputs_to(node, shape_.group_of(there));
      default:
        return outputs_to(node, f.route);
    }
  }

  channel_mask channels(unsigned node, unsigned, unsigned output, const flit& f) const override {
    if (output < shape_.terminals) return ~channel_mask{0};
    const unsigned order = most_legs_ - legs(node, f);
    if (output >= shape_.first_global_port()) return channels_of_class(order, most_legs_, channels_);
    const unsigned there = shape_.group_of_terminal(f.destination);
    const bool may_turn = undecided_ && f.route == there && shape_.group_of(node) != there;
    return channels_of_class(may_turn ? 0 : undecided_ + order, undecided_ + most_legs_ + 1, channels_);
  }
  // Where it is tells a packet how far it has come.
  bool memoryless() const override { return true; }
  bool in_order() const override {
    return most_legs_ == 1 && channels_ == 1 && shape_.links_between_groups() <= 1;
  }

  unsigned regions() const { return shape_.groups; }
  unsigned region_of(unsigned node) const { return shape_.group_of(node); }
  /// Neither of the two; the packet's own if there is none other.
  unsigned chosen(std::uint64_t word, unsigned here, unsigned there) const {
    if (shape_.groups < 3) return here;
    auto group = static_cast<unsigned>(part_of(word, 32, shape_.groups - 2));
    group += group >= std::min(here, there);
    return group + (group >= std::max(here, there));
  }
  unsigned switch_of_terminal(unsigned terminal) const { return shape_.switch_of_terminal(terminal); }
  /// Ports to another group, or to the switches of this one that have such; the first if there are both.
  port_mask outputs_to(unsigned node, unsigned group) const {
    const unsigned place = shape_.place_of(shape_.group_of(node), group);
    const port_mask* const out_of = &links_[std::size_t{place} * shape_.switches];
    if (out_of[node % shape_.switches]) return out_of[node % shape_.switches];
    port_mask ports = 0;
    for (unsigned other = 0; other < shape_.switches; ++other)
      if (out_of[other]) ports |= bit(shape_.port_to(node, other));
    return ports;
  }
  unsigned links(unsigned node, unsigned last) const {
    return links_to_group(node, shape_.group_of(last), [&](unsigned end) { return unsigned{end != last}; });
  }
  unsigned links_by(unsigned node, unsigned group, unsigned last) const {
    return links_to_group(node, group, [&](unsigned end) { return links(end, last); });
  }

private:
  /// Links between switches on the shortest way from one group to another that passes on to `rest` from the
  /// switch that it comes to.
  template <class F>
  unsigned links_to_group(unsigned node, unsigned group, F&& rest) const {
    const unsigned from = shape_.group_of(node), h = shape_.global_links, a = shape_.switches;
    unsigned fewest = ~0u;
    for (unsigned copy = 0; copy < shape_.links_between_groups(); ++copy) {
      const unsigned start = from * a + shape_.end_of(shape_.place_of(from, group), copy) / h;
      const unsigned end = group * a + shape_.end_of(shape_.place_of(group, from), copy) / h;
      fewest = std::min(fewest, (start != node) + 1 + rest(end));
    }
    return fewest;
  }
  /// Links between groups that the packet has still to take.
  unsigned legs(unsigned node, const flit& f) const {
    const unsigned here = shape_.group_of(node), there = shape_.group_of_terminal(f.destination);
    if (here == there) return 0;
    return most_legs_ == 1 || f.route == here || f.route == there ? 1 : 2;
  }

  const dragonfly_shape shape_;
  const unsigned channels_, most_legs_;
  const unsigned undecided_;      // classes of local links for those that may turn
  std::vector<port_mask> links_;  // by place of a group and switch: ports of its own that lead there
};

}  // namespace

std::shared_ptr<const routing> dragonfly_shape::ways(way_choice choice,
                                                     const routing_context& context) const {
  return make_ways<dragonfly_ways>(choice, context);
}

}  // namespace spillway
