#pragma once
#include <cstdint>
#include <spillway/tb/traffic/entries.hpp>
#include <vector>

namespace spillway {

/// A traffic matrix: how much of what each terminal sends goes to each other.
class matrix_pattern final : public pattern {
public:
  struct cell {
    std::uint32_t source, destination;
    double weight;  ///< 0 or more, by comparison with the others of the source
  };
  /// Cells that are left out have weight 0; a source without weight sends nothing.
  matrix_pattern(std::uint32_t terminals, const std::vector<cell>& cells);

  void address(packet_order& packet, std::uint32_t terminal, std::uint64_t number,
               random_stream& random) const override;
  bool silent(std::uint32_t terminal) const override { return rows_[terminal].empty(); }

private:
  struct share {
    std::uint32_t destination;
    double up_to;  // weight of this destination and those before
  };
  std::vector<std::vector<share>> rows_;  // by source
};

class matrix_entry final : public pattern_entry {
public:
  matrix_entry() : pattern_entry("matrix") {}
  nlohmann::json schema() const override;
  std::shared_ptr<const pattern> make(const traffic_context& context) const override;
};

}  // namespace spillway
