#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/nifdy/nifdy_config.hpp>
#include <spillway/hw/nifdy/nifdy_header.hpp>
#include <vector>

namespace spillway {

/// Reorder buffers of a NIFDY unit: W packets for each of the D bulk dialogs that it receives in. Packets
/// that are next in order stream on to the arrivals FIFO, with the source put back into their headers; the
/// others wait. The window rule means that there is always a buffer, so the input is always ready.
class nifdy_reorder : public clocked {
public:
  packet_in in{"in"};               ///< bulk packets from the network; always ready
  packet_in opened{"opened"};       ///< a dialog that is granted: its name, and the sender as `source`
  packet_out out{"out"};            ///< to the arrivals FIFO
  packet_out progress{"progress"};  ///< what is to be acknowledged: dialog, sequence, sender as `destination`

  /// `config`: of the unit, a valid one.
  nifdy_reorder(const sc_core::sc_module_name& name, const nifdy_config& config);

  /// W packets a dialog, and of each dialog its sender, three numbers of packets and when one came last; and
  /// what waits to be acknowledged: as much as a window gives, and a reminder.
  hardware_size storage() const override {
    const std::uint64_t dialogs = dialogs_.size(), packets = dialogs * config_.window;
    const std::uint64_t acks = (config_.window + config_.ack_every() - 1) / config_.ack_every() + 1;
    return {packets * config_.packet_length + dialogs * acks, dialogs,
            dialogs * (10 + 3 * std::uint64_t{bits_below(2u * config_.window)} + time_bits) +
                packets * bits_to(config_.packet_length)};
  }
  std::uint64_t held_flits() const;                      ///< flits of bulk packets in it
  std::uint64_t lost_in_reset() const { return lost_; }  ///< flits thrown away by resets so far
  /// `nifdy.bulk_out_of_order`, `nifdy.dialogs_ended_by_receiver`, `nifdy.bulk_duplicates_dropped`,
  /// `nifdy.bulk_strays`: of no dialog or outside its window, which only happens where packets are lost.
  void count(counters& all) const;

private:
  struct buffer {
    std::vector<flit> flits;
    std::size_t given = 0;
  };
  struct pending {
    flit ack;
    bool reminder;
  };
  struct dialog_state {
    bool open = false, asked_to_end = false;
    std::uint16_t name = 0;
    std::uint32_t source = 0;
    std::uint16_t next = 0;  // to be handed on
    unsigned front = 0;      // buffer of `next`
    std::uint16_t acknowledged = 0;
    std::uint64_t last_activity = 0;  // cycle
    std::vector<buffer> buffers;
  };

  void reset() override;
  void tick() override;
  void open();
  void take();
  void take_head(const flit& f);
  void acknowledge_again(const flit& head, const dialog_state& d);
  void deliver();
  void advance(dialog_state& d);
  void acknowledge(const dialog_state& d, std::uint8_t flags, bool reminder = false);
  void remind(const dialog_state& d, std::uint8_t flags);
  void choose();
  void end_idle();
  bool ready_to_deliver(const dialog_state& d) const;
  /// Buffer of the packet that is so many behind the next one. Sequences wrap at 2^16, which is no multiple
  /// of every window, so they do not index the buffers.
  buffer& at(dialog_state& d, unsigned place) { return d.buffers[(d.front + place) % config_.window]; }
  buffer& front(dialog_state& d) { return d.buffers[d.front]; }

  const nifdy_config config_;
  std::vector<dialog_state> dialogs_;
  buffer* into_ = nullptr;  // of the packet that is coming in; nullptr: it is dropped
  int delivering_ = -1;     // dialog whose packet is going out
  bool showing_ = false;
  unsigned turn_ = 0;
  std::uint64_t alarm_ = 0;  // call asked for
  std::deque<pending> progress_queue_;
  std::size_t reminders_ = 0;  // in it
  std::uint64_t lost_ = 0, early_ = 0, ended_ = 0, duplicates_ = 0, strays_ = 0;
};

}  // namespace spillway
