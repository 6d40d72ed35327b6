#pragma once
#include <spillway/hw/endpoints/endpoints.hpp>
#include <utility>

namespace spillway {

/// The source of a terminal in a network that reduces: numbers contributions by round, in the order in which
/// they leave, in the lane of the terminal's group. A packet that is no contribution, which is a `combinable`
/// one of one flit to its own terminal, is a std::logic_error.
class contributor final : public source {
public:
  /// `group`: of `groups`. The rest as of a source.
  template <class... Args>
  contributor(const sc_core::sc_module_name& name, unsigned group, unsigned groups, Args&&... args)
      : source(name, std::forward<Args>(args)...), group_(group) {
    out.lanes().declare(groups);
  }

private:
  void reset() override;
  bool choose(flit& chosen) override;

  const unsigned group_;
  std::uint64_t round_ = 0;
};

}  // namespace spillway
