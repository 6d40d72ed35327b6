#pragma once
#include <map>
#include <spillway/platforms/topology/analysis.hpp>
#include <support/topologies.hpp>

namespace spillway::testing_support {

inline analysis analysed(const topology& t, const std::string& routing, unsigned channels) {
  analysis_options options;
  options.channels = channels;
  return analyse(t, *make_routing(t, {routing, channels}), options);
}

/// Of switches that look idle, or that have some flits for an output.
class load_of : public output_load {
public:
  explicit load_of(std::map<unsigned, unsigned> flits = {}) : flits_(std::move(flits)) {}
  unsigned credits(unsigned) const override { return 3; }
  unsigned waiting(unsigned output) const override {
    const auto found = flits_.find(output);
    return found == flits_.end() ? 0 : found->second;
  }

private:
  const std::map<unsigned, unsigned> flits_;
};

inline flit head_of(unsigned source, unsigned destination, unsigned packet) {
  flit f;
  f.source = source;
  f.destination = destination;
  f.packet = packet;
  return f;
}

}  // namespace spillway::testing_support
