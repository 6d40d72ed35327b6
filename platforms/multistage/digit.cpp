#include <spillway/hw/switching/masks.hpp>
#include <spillway/platforms/multistage/digit.hpp>
#include <vector>

namespace spillway {

using masks::bit;

namespace {

/// Radix a power of two: the digit is a shift and a mask away.
class binary_digits final : public routing {
public:
  binary_digits(const topology& t, const multistage_shape& shape, unsigned channels)
      : mask_(shape.radix - 1), in_order_(channels == 1) {
    unsigned width = 0;
    while ((1u << width) < shape.radix) ++width;
    for (const auto v : t.switches)
      shift_.push_back(static_cast<std::uint8_t>((shape.stages - 1 - t.g[v].stage) * width));
  }
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    return bit(f.destination >> shift_[node] & mask_);
  }
  bool memoryless() const override { return true; }
  bool in_order() const override { return in_order_; }

private:
  const unsigned mask_;
  const bool in_order_;
  std::vector<std::uint8_t> shift_;  // by switch
};

/// Any radix, and of multibutterflies all outputs of the digit.
class digits final : public routing {
public:
  digits(const topology& t, const multistage_shape& shape, unsigned channels)
      : radix_(shape.radix),
        dilation_(shape.dilation),
        last_column_(t.switches.size() - t.switches.size() / shape.stages),
        in_order_(channels == 1 && shape.dilation == 1) {
    std::vector<std::uint32_t> place(shape.stages, 1);
    for (unsigned stage = shape.stages - 1; stage > 0; --stage) place[stage - 1] = place[stage] * shape.radix;
    for (const auto v : t.switches) divisor_.push_back(place[t.g[v].stage]);
  }
  port_mask outputs(unsigned node, unsigned, const flit& f) const override {
    const unsigned digit = f.destination / divisor_[node] % radix_;
    if (node >= last_column_) return bit(digit);
    return (bit(dilation_) - 1) << (digit * dilation_);
  }
  bool memoryless() const override { return true; }
  bool in_order() const override { return in_order_; }

private:
  const unsigned radix_, dilation_;
  const std::size_t last_column_;  // first switch of the last stage
  const bool in_order_;
  std::vector<std::uint32_t> divisor_;  // by switch
};

}  // namespace

std::shared_ptr<const routing> digit_routing::make(const routing_context& context) const {
  const auto& shape = *context.shape.facts<multistage_shape>();
  if ((shape.radix & (shape.radix - 1)) == 0 && shape.dilation == 1)
    return std::make_shared<binary_digits>(context.shape, shape, context.channels);
  return std::make_shared<digits>(context.shape, shape, context.channels);
}

}  // namespace spillway
