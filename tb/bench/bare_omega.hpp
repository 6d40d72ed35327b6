#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <spillway/hw/links/flit.hpp>
#include <spillway/tb/traffic/traffic.hpp>
#include <vector>

namespace spillway {

/// The yardstick of `spillway bench`: an omega network of 2x2 switches with one FIFO of 4 flits an
/// input, cycle for cycle what the blocks do with one-flit packets, as a bare loop over arrays.
class bare_omega {
public:
  /// 2^stages terminals; `supplies`: one a terminal.
  bare_omega(unsigned stages, std::vector<std::unique_ptr<packet_supply>> supplies);

  void step();
  std::uint64_t cycle() const { return cycle_; }
  std::uint64_t delivered() const { return delivered_; }
  /// Sum of a hash of (cycle, flit) over all deliveries, to compare with the blocks'.
  std::uint64_t digest() const { return digest_; }
  static std::uint64_t digest_of(std::uint64_t cycle, const flit& f);

private:
  static constexpr unsigned depth = 4;
  struct link {
    flit data;
    bool valid = false, ready = false;
  };
  struct fifo {
    std::array<flit, depth> data;
    std::uint8_t head = 0, count = 0;
  };
  struct omega_switch {
    std::array<fifo, 2> in;
    std::array<std::uint8_t, 2> pointer{};            // next winner of each output
    std::array<std::uint8_t, 2> sending{none, none};  // input that each output shows
  };
  static constexpr std::uint8_t none = 2;

  void step_switch(unsigned stage, unsigned index);
  void step_source(unsigned terminal);
  std::uint32_t shuffle(std::uint32_t line) const {
    return ((line << 1) | (line >> (stages_ - 1))) & (terminals_ - 1);
  }

  const unsigned stages_;
  const std::uint32_t terminals_;
  std::vector<omega_switch> switches_;
  // The link of rank s, from stage s-1 (0: sources) to stage s, and a line at s * terminals + line.
  std::vector<link> now_, next_;
  std::vector<std::unique_ptr<packet_supply>> supplies_;
  std::vector<std::deque<flit>> waiting_;
  std::vector<std::uint64_t> due_;
  std::vector<std::uint32_t> packets_;
  std::uint64_t cycle_ = 0, delivered_ = 0, digest_ = 0;
};

}  // namespace spillway
