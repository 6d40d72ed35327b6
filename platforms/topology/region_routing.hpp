#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/topology/routing_entry.hpp>

namespace spillway {

/// How a packet is sent through a network with regions: groups of switches, or single switches.
enum class way_choice {
  straight,  ///< to the region of its destination
  drawn,     ///< by way of a region drawn for it (Valiant)
  adaptive   ///< the one or the other, whichever promises less where it enters (UGAL-L)
};

/// What the kind of a network knows that the routings `minimal`, `valiant` and `ugal` are made for.
class region_facts : public topology_facts {
public:
  /// @param context of a topology that these facts are of
  /// Throws std::invalid_argument if there are too many regions or too few channels.
  virtual std::shared_ptr<const routing> ways(way_choice choice, const routing_context& context) const = 0;
};

/// The channels of a link, dealt out to classes; with fewer channels than classes some share one.
inline channel_mask channels_of_class(unsigned number, unsigned classes, unsigned channels) {
  const unsigned first = number * channels / classes, end = (number + 1) * channels / classes;
  return masks::low_bits(std::max(end, first + 1)) & ~masks::low_bits(first);
}

/// By way of a region that is drawn from the packet's number: no state, and alike on every kernel. The route
/// part of a head holds the region's number; that of its source or destination stands for the straight way.
///
/// `Ways` is a routing that follows that word. It is made of a routing_context and the number of legs of the
/// longest way, 1 or 2, and whether a packet may decide again in its first region; and tells regions(),
/// region_of(node), switch_of_terminal(); outputs_to(node, region) for a node that is not in it; chosen(word,
/// here, there), the region that the low 32 bits of a random word stand for, between two different ones; and
/// how many links between switches it is from a node to the switch `last`: links(node, last), and
/// links_by(node, region, last).
template <class Ways>
class drawn_region_routing : public Ways {
public:
  explicit drawn_region_routing(const routing_context& context, bool decides_again = false)
      : Ways(context, 2, decides_again), seed_(context.seed) {}

  unsigned entry_routes() const override { return this->regions(); }
  unsigned at_entry(unsigned node, unsigned, const flit& head, const output_load&) const override {
    return drawn(node, head);
  }

protected:
  /// For a packet that stays in its region that one.
  unsigned drawn(unsigned node, const flit& head) const {
    const unsigned here = this->region_of(node);
    const unsigned there = this->region_of(this->switch_of_terminal(head.destination));
    if (here == there) return here;
    const std::uint64_t word =
        draw(seed_, std::uint64_t{head.network} << 32 | head.source, 0x64666c79u ^ head.packet);
    return this->chosen(word, here, there);
  }

private:
  const std::uint64_t seed_;
};

/// By what waits for the outputs of the switch where the packet enters, times the links of the way. With
/// `progressive` a packet that goes straight asks again in each switch to which it comes before it leaves its
/// first region (Jiang, Kim and Dally, ISCA 2009).
template <class Ways>
class adaptive_region_routing final : public drawn_region_routing<Ways> {
public:
  explicit adaptive_region_routing(const routing_context& context)
      : drawn_region_routing<Ways>(context, context.parameters.at("progressive")),
        threshold_(context.parameters.at("threshold")),
        progressive_(context.parameters.at("progressive")) {}

  /// By way of a region a packet has that one's number until it is there.
  bool decides_again(unsigned node, unsigned, const flit& head) const override {
    if (!progressive_) return false;
    const unsigned there = this->region_of(this->switch_of_terminal(head.destination));
    return head.route == there && this->region_of(node) != there;
  }

  unsigned at_entry(unsigned node, unsigned, const flit& head, const output_load& load) const override {
    const unsigned last = this->switch_of_terminal(head.destination);
    const unsigned here = this->region_of(node), there = this->region_of(last), by = this->drawn(node, head);
    if (by == here || by == there) return there;
    const std::int64_t straight = delay(load, this->outputs_to(node, there)) * this->links(node, last);
    const std::int64_t round_about = delay(load, this->outputs_to(node, by)) * this->links_by(node, by, last);
    return straight <= round_about + threshold_ ? there : by;
  }

private:
  static std::int64_t delay(const output_load& load, port_mask outputs) {
    unsigned least = ~0u;
    for (; outputs; outputs &= outputs - 1) least = std::min(least, load.waiting(masks::lowest(outputs)));
    return least;
  }

  const std::int64_t threshold_;
  const bool progressive_;
};

/// For region_facts::ways().
template <class Ways>
std::shared_ptr<const routing> make_ways(way_choice choice, const routing_context& context) {
  switch (choice) {
    case way_choice::straight:
      return std::make_shared<Ways>(context, 1);
    case way_choice::drawn:
      return std::make_shared<drawn_region_routing<Ways>>(context);
    default:
      return std::make_shared<adaptive_region_routing<Ways>>(context);
  }
}

/// The routings of topologies that have region_facts.
class region_routing_entry : public routing_entry {
public:
  routing_fit fit(const topology& shape) const final {
    return shape.facts<region_facts>() ? routing_fit::own : routing_fit::none;
  }
  std::shared_ptr<const routing> make(const routing_context& context) const final {
    return context.shape.facts<region_facts>()->ways(choice_, context);
  }

protected:
  region_routing_entry(std::string name, way_choice choice)
      : routing_entry(std::move(name)), choice_(choice) {}

private:
  const way_choice choice_;
};

class minimal_routing final : public region_routing_entry {
public:
  minimal_routing() : region_routing_entry("minimal", way_choice::straight) {}
  nlohmann::json schema() const override;
};

class valiant_routing final : public region_routing_entry {
public:
  valiant_routing() : region_routing_entry("valiant", way_choice::drawn) {}
  nlohmann::json schema() const override;
};

class ugal_routing final : public region_routing_entry {
public:
  ugal_routing() : region_routing_entry("ugal", way_choice::adaptive) {}
  nlohmann::json schema() const override;
};

}  // namespace spillway
