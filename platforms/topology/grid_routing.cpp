#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/topology/grid_routing.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

using namespace masks;

namespace {

// Port 0 is the terminal's, 1 + 2d leads up in dimension d, 2 + 2d down.
class dimension_order final : public routing {
public:
  dimension_order(const topology& t, unsigned channels, bool dateline)
      : dimensions_(t.dimensions),
        wraps_(t.wraps),
        both_ways_(t.both_ways),
        classes_(t.wraps && dateline && channels > 1 ? channels : 0),
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

class minimal_adaptive final : public routing {
public:
  explicit minimal_adaptive(const topology& t) : dimensions_(t.dimensions) {}

  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    port_mask nearer = 0;
    unsigned here = node, there = f.destination;
    for (unsigned d = 0; d < dimensions_.size(); ++d) {
      const unsigned x = here % dimensions_[d], to = there % dimensions_[d];
      if (x != to) nearer |= bit(to > x ? 1 + 2 * d : 2 + 2 * d);
      here /= dimensions_[d];
      there /= dimensions_[d];
    }
    return nearer ? nearer : bit(0);
  }

  channel_mask channels(unsigned node, unsigned input, unsigned output, const flit& f) const override {
    const port_mask nearer = outputs(node, input, f);
    const bool lowest_dimension = (nearer & (~nearer + 1)) == bit(output);
    return lowest_dimension ? ~channel_mask{0} : ~channel_mask{1};
  }
  channel_mask escape() const override { return 1; }
  bool in_order() const override { return false; }

private:
  const std::vector<unsigned> dimensions_;
};

}  // namespace

std::shared_ptr<const routing> make_dimension_order(const topology& grid, unsigned channels, bool dateline) {
  return std::make_shared<dimension_order>(grid, channels, dateline);
}

std::shared_ptr<const routing> make_minimal_adaptive(const topology& mesh, unsigned channels) {
  if (mesh.dimensions.empty() || mesh.wraps)
    throw std::invalid_argument("adaptive routing is made for meshes, found a topology of kind '" +
                                mesh.kind + "'");
  if (channels < 2)
    throw std::invalid_argument(
        "adaptive routing needs 2 or more virtual channels, one of them to escape by, found " +
        std::to_string(channels));
  return std::make_shared<minimal_adaptive>(mesh);
}

}  // namespace spillway
