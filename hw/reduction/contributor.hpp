#pragma once
#include <spillway/hw/endpoints/endpoints.hpp>

namespace spillway {

/// The source of a terminal in a network that reduces: numbers contributions by round, in the order in which
/// they leave. A packet that is no contribution, which is a `combinable` one of one flit to its own terminal,
/// is a std::logic_error.
class contributor final : public source {
public:
  using source::source;

private:
  void reset() override;
  bool choose(flit& chosen) override;

  std::uint64_t round_ = 0;
};

}  // namespace spillway
