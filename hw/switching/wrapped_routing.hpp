#pragma once
#include <memory>
#include <spillway/hw/switching/routing.hpp>
#include <stdexcept>
#include <utility>

namespace spillway {

/// Answers as another routing does: what derives from it overrides the answers that differ, and asks
/// wrapped_routing's own function for the other's.
class wrapped_routing : public routing {
public:
  /// Throws std::invalid_argument without a routing.
  explicit wrapped_routing(std::shared_ptr<const routing> inner) : inner_(std::move(inner)) {
    if (!inner_) throw std::invalid_argument("expected a routing to wrap, found none");
  }

  port_mask outputs(unsigned node, unsigned input, const flit& f) const override {
    return inner_->outputs(node, input, f);
  }
  channel_mask channels(unsigned node, unsigned input, unsigned output, const flit& f) const override {
    return inner_->channels(node, input, output, f);
  }
  channel_mask escape() const override { return inner_->escape(); }
  unsigned entry_routes() const override { return inner_->entry_routes(); }
  unsigned at_entry(unsigned node, unsigned input, const flit& head, const output_load& load) const override {
    return inner_->at_entry(node, input, head, load);
  }
  bool decides_again(unsigned node, unsigned input, const flit& head) const override {
    return inner_->decides_again(node, input, head);
  }
  bool memoryless() const override { return inner_->memoryless(); }
  bool in_order() const override { return inner_->in_order(); }

private:
  const std::shared_ptr<const routing> inner_;
};

}  // namespace spillway
