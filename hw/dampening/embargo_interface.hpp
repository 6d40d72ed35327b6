#pragma once
#include <deque>
#include <memory>
#include <spillway/hw/dampening/embargo_link.hpp>
#include <spillway/hw/dampening/embargo_sender.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>

namespace spillway {

/// How an interface keeps what it holds back.
struct embargo_interface_config {
  unsigned depth = 2;                ///< messages that it holds; 2 or more for one a cycle
  bool queue_a_destination = false;  ///< else one FIFO, whose head holds up the rest
  std::size_t embargoes = 0;         ///< processors that the pool ahead may have embargoed at a time
};

/// What stands between a source of single-flit messages and an embargo link: holds messages back whose
/// destination the network does not take (Kuszmaul and Kuszmaul, section VIII: the senders). One cycle from
/// `in` to `out` where nothing is in the way.
class embargo_interface : public clocked {
public:
  packet_in in{"in"};      ///< from the source
  embargo_out out{"out"};  ///< into the network

  /// `pool`: image of the pool that `out` leads to where the sender calculates, else nullptr. `by_source`:
  /// what the keys of that pool are. Throws std::invalid_argument for a depth of 0.
  embargo_interface(const sc_core::sc_module_name& name, const embargo_interface_config& config,
                    std::unique_ptr<assignment> pool, bool by_source);

  /// Messages in it, the one that is shown included.
  unsigned level() const { return messages_.used() + (valid_ ? 1 : 0); }
  hardware_size storage() const override {
    const std::uint64_t places = messages_.places();
    return hardware_size{places, 0, places * bits_to(places)} + sender_.storage();
  }
  std::uint64_t lost_in_reset() const { return lost_; }  ///< messages thrown away by resets so far

private:
  void reset() override;
  void tick() override;
  void take(const flit& f);
  void send_next();

  const embargo_interface_config config_;
  const bool by_source_;
  state_memory memory_;
  message_table messages_;
  state_array<flit> flits_;  // by message
  embargo_sender sender_;
  std::deque<message_table::id> fifo_;  // those behind the one that the sender has
  flit showing_;
  std::uint16_t place_ = embargo_sender::no_place;  // downstream, of the message that is shown
  bool valid_ = false, open_ = false, interdicted_ = false;
  std::uint64_t lost_ = 0;
};

}  // namespace spillway
