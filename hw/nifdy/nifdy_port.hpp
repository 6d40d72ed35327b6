#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/nifdy/nifdy_config.hpp>
#include <spillway/hw/nifdy/nifdy_header.hpp>
#include <vector>

namespace spillway {

/// Ports of a NIFDY unit from the networks. Acknowledgements go to the table, bulk packets to the reorder
/// buffers, all others to the arrivals FIFO; a packet that finds no room there waits, and so does what is
/// behind it in its network.
class nifdy_port : public clocked {
public:
  row<packet_in> in;            ///< in<n>: from network n
  packet_out acks{"acks"};      ///< the head of each acknowledgement, as a flit of its own
  packet_out scalar{"scalar"};  ///< to the arrivals FIFO
  packet_out bulk{"bulk"};      ///< to the reorder buffers

  /// `config`: of the unit, a valid one.
  nifdy_port(const sc_core::sc_module_name& name, const nifdy_config& config);

  /// Two flits a network.
  hardware_size storage() const override { return {queues_.size() * places, 0, 0}; }
  /// Flits of data that it holds.
  std::uint64_t held_flits() const;
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits of data thrown away by resets so far

private:
  static constexpr std::size_t places = 2;  // full rate with a registered ready
  enum class way : std::uint8_t { acks, scalar, bulk };
  static constexpr unsigned ways = 3;

  struct exit_state {
    flit data;
    bool showing = false;
    int owner = -1;  // network whose packet is under way
  };

  void reset() override;
  void tick() override;
  void receive();
  void sort();
  bool forward(way to, unsigned network);
  void show();
  way way_of(const flit& f, unsigned network) const;
  packet_out& pins(unsigned to) { return to == 0 ? acks : to == 1 ? scalar : bulk; }

  const nifdy_config config_;
  std::vector<std::deque<flit>> queues_;  // by network
  std::vector<way> under_way_;  // by network: of the packet whose head has gone, which alone says it
  std::array<exit_state, ways> exits_;
  unsigned turn_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace spillway
