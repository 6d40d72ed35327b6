#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <vector>

namespace spillway {

/// Draws terminals that are equally likely, but for those that are spared.
class any_terminal {
public:
  explicit any_terminal(std::uint32_t terminals, std::vector<bool> spared = {})
      : terminals_(terminals), spared_(std::move(spared)) {}

  std::uint32_t draw(random_stream& random) const {
    while (true)
      if (const std::uint32_t t = below(terminals_, random); accepts(t)) return t;
  }
  /// Any but that one, of two or more.
  std::uint32_t draw_other(std::uint32_t than, random_stream& random) const {
    while (true)
      if (const std::uint32_t t = (than + 1 + below(terminals_ - 1, random)) % terminals_; accepts(t))
        return t;
  }

private:
  bool accepts(std::uint32_t t) const { return spared_.empty() || !spared_[t]; }

  const std::uint32_t terminals_;
  const std::vector<bool> spared_;
};

/// One of several targets.
inline std::uint32_t draw_target(const std::vector<std::uint32_t>& targets, random_stream& random) {
  return targets[targets.size() == 1 ? 0 : below(static_cast<std::uint32_t>(targets.size()), random)];
}

/// What `spare` and `spare_stopped` say: the terminals that uniform traffic does not go to; empty: none.
std::vector<bool> spared_terminals(const traffic_context& context);

}  // namespace spillway
