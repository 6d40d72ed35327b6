#pragma once
#include <cstdint>
#include <deque>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/nifdy/nifdy_config.hpp>
#include <spillway/hw/nifdy/nifdy_header.hpp>

namespace spillway {

/// Outstanding packet table of a NIFDY unit, a memory of O destinations, and the state of the one bulk dialog
/// that the unit sends in. What the pool sends is written down, and acknowledgements strike it out; the pool
/// sees the result at the edge after.
class nifdy_table : public clocked {
public:
  packet_in sent{"sent"};  ///< the head of each packet that the pool has chosen, as a flit of its own
  packet_in acks{"acks"};  ///< acknowledgements, one flit each
  output<nifdy::tags> tags{"tags"};        ///< what is unacknowledged, registered
  output<nifdy::dialog> dialog{"dialog"};  ///< state of the dialog, registered

  /// `config`: of the unit, a valid one.
  nifdy_table(const sc_core::sc_module_name& name, const nifdy_config& config);

  /// Beside what its pins show, who is asked for a dialog, and acknowledgements, one a cycle that they take
  /// beyond those that pass anyway.
  hardware_size storage() const override {
    const std::uint64_t waiting = config_.ack_processing - 2;
    return {waiting, 1, waiting * time_bits};
  }
  /// `nifdy.bulk_grants`, `nifdy.bulk_refusals`, `nifdy.stale_acks`; and `nifdy.most_outstanding` over all
  /// units.
  void count(counters& all) const;

private:
  struct pending {
    std::uint64_t due;
    flit ack;
  };

  void reset() override;
  void tick() override;
  void note(const flit& head);
  void strike(const flit& ack);
  void strike_bulk(const flit& ack);
  void answer(const flit& ack);

  const nifdy_config config_;
  nifdy::tags tags_;
  nifdy::dialog dialog_;
  std::uint32_t asked_ = 0;  // who has the unanswered request
  std::deque<pending> waiting_;
  std::uint64_t grants_ = 0, refusals_ = 0, stale_ = 0;
  unsigned most_ = 0;
};

}  // namespace spillway
