#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/nifdy/nifdy_config.hpp>
#include <spillway/hw/nifdy/nifdy_header.hpp>
#include <vector>

namespace spillway {

/// Acknowledgement generator of a NIFDY unit: answers each scalar packet that the processor has accepted,
/// grants bulk dialogs while fewer than D are open, and passes on what the reorder buffers acknowledge.
class nifdy_acks : public clocked {
public:
  packet_in accepted{"accepted"};  ///< heads of scalar packets, as flits of their own
  packet_in progress{"progress"};  ///< from the reorder buffers; with the exit bit: the dialog is over
  packet_out opened{"opened"};     ///< to them: a dialog that is granted
  packet_out out{"out"};           ///< acknowledgements, one flit each

  /// `config`: of the unit, a valid one.
  nifdy_acks(const sc_core::sc_module_name& name, const nifdy_config& config);

  /// Acknowledgements and notices that wait, and of each dialog whether it is open, with its epoch. The last
  /// answer to each source, where packets are lost, has no bound and does not count.
  hardware_size storage() const override {
    return {places() + numbers_.size(), 0, places() * std::uint64_t{time_bits} + numbers_.size() * 9};
  }
  /// Dialogs that are granted and not over.
  unsigned open_dialogs() const { return open_; }
  /// `nifdy.dialogs_granted`, `nifdy.dialogs_refused`.
  void count(counters& all) const;

private:
  struct pending {
    std::uint64_t due;
    flit ack;
  };
  struct number_state {
    bool open = false;
    std::uint8_t epoch = 0;
  };

  void reset() override;
  void tick() override;
  /// Four, and one for each cycle that an acknowledgement takes beyond those that pass anyway, so that
  /// `ack_processing` is a latency at a rate of one a cycle.
  std::size_t places() const { return std::size_t{4} + config_.ack_processing - 2; }
  flit answer(const flit& head);
  void grant(const flit& head, flit& ack);

  const nifdy_config config_;
  std::vector<number_state> numbers_;
  std::deque<pending> queue_;
  std::deque<flit> notices_;
  std::map<std::uint32_t, flit> last_;  // by source, on a network that loses packets
  bool showing_ = false;
  unsigned open_ = 0;
  std::uint64_t granted_ = 0, refused_ = 0;
};

}  // namespace spillway
