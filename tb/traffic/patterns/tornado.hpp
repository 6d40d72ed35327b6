#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <spillway/tb/traffic/patterns/permutation.hpp>

namespace spillway {

/// Nearly half-way around every dimension: of k switches along one, ceil(k/2) - 1 further (Dally and Towles,
/// section 3.2).
class tornado_pattern final : public permutation {
public:
  /// Around all terminals by their numbers.
  explicit tornado_pattern(std::uint32_t terminals)
      : tornado_pattern(terminals, std::vector<std::uint64_t>{terminals}) {}
  /// `dimensions`: terminals along each, whose product is `terminals`; a terminal's number has its
  /// coordinates as digits, the first one last.
  tornado_pattern(std::uint32_t terminals, const std::vector<std::uint64_t>& dimensions)
      : permutation(terminals, [&](std::uint32_t t) {
          std::uint64_t to = 0, stride = 1;
          for (const std::uint64_t k : dimensions) {
            to += (t / stride % k + (k + 1) / 2 - 1) % k * stride;
            stride *= k;
          }
          return static_cast<std::uint32_t>(to);
        }) {}
};

class tornado_entry final : public pattern_entry {
public:
  tornado_entry() : pattern_entry("tornado") {}
  nlohmann::json schema() const override {
    return {{"description",
             "Nearly half-way around every dimension of a mesh or torus, or around all terminals by their "
             "numbers."}};
  }
  std::shared_ptr<const pattern> make(const traffic_context& c) const override {
    return std::make_shared<tornado_pattern>(c.terminals, c.dimensions());
  }
};

}  // namespace spillway
