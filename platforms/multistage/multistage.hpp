#pragma once
#include <nlohmann/json.hpp>
#include <spillway/platforms/topology/topology.hpp>

namespace spillway {

/// Of butterflies, omegas, multibutterflies and crossbars: stages of switches with `radix` digits, which take
/// the digits of the destination one after the other.
struct multistage_shape final : topology_facts {
  unsigned radix = 2, stages = 1;
  std::uint64_t terminals = 0;  ///< 0: radix^stages
  unsigned dilation = 1;        ///< of multibutterflies: outputs for each digit, but in the last stage

  multistage_shape(unsigned digits, unsigned columns, std::uint64_t joined = 0, unsigned outputs_a_digit = 1)
      : radix(digits), stages(columns), terminals(joined), dilation(columns > 1 ? outputs_a_digit : 1) {}
  /// From a section with the keys `radix`, `stages` and, if need be, `terminals`.
  explicit multistage_shape(const nlohmann::json& parameters);

  topology_size size() const;
  double lines() const;  ///< between stages, without dilation
};

// They throw std::invalid_argument for parameters out of range: a switch has at most 64 ports and a network
// 2^28 terminals.

/// k-ary n-fly (Dally and Towles, section 4.1): between stages i and i+1 the last digit of a line changes
/// places with digit i from the left, the one that stage i has decided. `terminals` up to radix^stages; the
/// network is complete, and the ports of the terminals that are not there stay open.
topology make_butterfly(const multistage_shape& shape);

/// Omega (Lawrie): a perfect shuffle before every stage, the first included: line p of a stage leads to
/// line (p * radix) mod N + p / (N/radix) of the next.
topology make_omega(const multistage_shape& shape);

/// One switch with every terminal.
topology make_crossbar(std::uint64_t terminals);

/// Throws unless a radix and a number of stages are in range.
void check_multistage(const multistage_shape& shape);

/// Schemas of the keys that they share.
nlohmann::json radix_key();
nlohmann::json stages_key();
nlohmann::json terminals_key();

}  // namespace spillway
