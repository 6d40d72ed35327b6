#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/grid/dimension_order.hpp>

namespace spillway {

using namespace masks;

namespace {

// Port 0 is the terminal's, 1 + 2d leads up in dimension d, 2 + 2d down.
class dimension_order final : public routing {
public:
  dimension_order(const grid_shape& grid, unsigned channels, bool dateline)
      : dimensions_(grid.dimensions.begin(), grid.dimensions.end()),
        wraps_(grid.wraps),
        both_ways_(grid.both_ways),
        classes_(grid.wraps && dateline && channels > 1 ? channels : 0),
        in_order_(channels == 1 || classes_ == 2) {}

  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    unsigned here = node, there = f.destination;
    for (unsigned d = 0; d < dimensions_.size(); ++d) {
      const unsigned size = dimensions_[d];
      const unsigned x = here % size, to = there % size;
      if (x != to) return bit(up(x, to, size) ? 1 + 2 * d : 2 + 2 * d);
      here /= size;
      there /= size;
    }
    return bit(0);
  }

  channel_mask channels(unsigned node, unsigned, unsigned output, const flit& f) const override {
    if (!classes_ || output == 0) return ~channel_mask{0};
    unsigned stride = 1;
    for (unsigned d = 0; d < (output - 1) / 2; ++d) stride *= dimensions_[d];
    const unsigned size = dimensions_[(output - 1) / 2];
    const unsigned from = f.source / stride % size, to = f.destination / stride % size;
    const unsigned x = node / stride % size;
    const bool rises = output % 2;
    const bool goes_round = rises ? from > to : from < to;
    const bool has_gone = rises ? x < from : x > from;
    const bool second = goes_round ? has_gone : from % 2;
    return second ? ~low_bits(classes_ / 2) : low_bits(classes_ / 2);
  }

  // The class of a channel tells what is asked of the source: whether the packet goes round, and has gone.
  bool memoryless() const override { return true; }
  bool in_order() const override { return in_order_; }

private:
  bool up(unsigned x, unsigned to, unsigned size) const {
    if (!both_ways_) return true;
    if (!wraps_) return to > x;
    return (to + size - x) % size <= size / 2;
  }
  const std::vector<unsigned> dimensions_;
  const bool wraps_, both_ways_;
  const unsigned classes_;  // channels that are split into classes; 0: none are
  const bool in_order_;
};

}  // namespace

std::shared_ptr<const routing> make_dimension_order(const grid_shape& grid, unsigned channels,
                                                    bool dateline) {
  return std::make_shared<dimension_order>(grid, channels, dateline);
}

nlohmann::json dimension_order_routing::schema() const {
  return parse_schema(R"({
    "description": "One dimension after the other, for meshes and tori.",
    "properties": {
      "dateline": {
        "type": "boolean",
        "default": true,
        "description": "On tori whose links have two or more virtual channels: packets that have still to go round the end of a ring and those that have gone round it take different channels, which frees the torus of deadlock."
      }
    }
  })");
}

}  // namespace spillway
