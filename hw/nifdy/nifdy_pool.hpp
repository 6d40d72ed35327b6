#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/nifdy/nifdy_config.hpp>
#include <spillway/hw/nifdy/nifdy_rank.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <vector>

namespace spillway {

/// Outgoing buffer pool of a NIFDY unit: B packets with their rank and eligibility unit, and the ports into
/// the networks, on which acknowledgements go first. On a network that loses packets it keeps a copy of each
/// and a timer until the packet is acknowledged; a scalar packet that was sent again keeps its place for a
/// timeout after that, so that neither a copy nor an acknowledgement of it is left when the next one goes.
class nifdy_pool : public clocked {
public:
  packet_in in{"in"};                     ///< from the processor
  packet_in acks{"acks"};                 ///< acknowledgements to be sent, one flit each
  packet_out sent{"sent"};                ///< to the table: the head of each packet chosen
  input<nifdy::tags> tags{"tags"};        ///< from the table
  input<nifdy::dialog> dialog{"dialog"};  ///< from the table
  row<packet_out> out;                    ///< out<n>: towards network n

  /// `next`: what the links lead to, known to `routes` by its number.
  nifdy_pool(const sc_core::sc_module_name& name, const nifdy_config& config,
             std::shared_ptr<const routing> routes = {}, link_end next = {});

  /// Who hears of the packets that come in and go out.
  void observe(endpoint_observer& observer) { observer_ = &observer; }
  /// Its packets and their order; where packets are lost, of each that may be outstanding a copy, a timer,
  /// and whether it was sent again; acknowledgements that wait.
  hardware_size storage() const override {
    const std::uint64_t packets = config_.pool, in_dialog = config_.bulk() ? config_.window : 0,
                        copies = config_.lossy() ? config_.outstanding + in_dialog : 0;
    return {(packets + copies) * config_.packet_length + most_acks, 0,
            packets * (std::uint64_t{bits_below(packets)} + bits_to(config_.packet_length) + 2) + copies +
                (copies + most_acks) * time_bits};
  }
  std::uint64_t held_flits() const;    ///< flits of packets that have not left in full; copies do not count
  std::uint64_t copied_flits() const;  ///< flits of packets that are kept until they are acknowledged
  /// Flits thrown away by resets so far, copies included.
  std::uint64_t lost_in_reset() const { return lost_; }
  /// `nifdy.scalar_packets`, `nifdy.bulk_packets`, `nifdy.bypass_packets`, `nifdy.acks`,
  /// `nifdy.acks_on_packets`, `nifdy.retransmissions`, `nifdy.dialogs_left_empty`.
  void count(counters& all) const;

private:
  static constexpr int no_slot = -1;
  static constexpr unsigned most_acks = 4;

  struct transmission {  // what a network's port is sending
    std::vector<flit> flits;
    std::size_t next = 0;
    int slot = no_slot;  // buffer that is free when it has left
    bool under_way = false;
  };
  struct copy {
    std::vector<flit> flits;
    std::uint64_t sent = 0;
    std::uint64_t due = nifdy::never;  // a timeout after it has left
    bool again = false, acknowledged = false;
  };
  struct ack {
    flit head;
    std::uint64_t due;
  };

  void reset() override;
  void tick() override;
  void send();
  void finish(transmission& port);
  void take_ack();
  void check_flit(const flit& f) const;
  void fill();
  void start();
  bool start_ack();
  bool start_again(unsigned network);
  bool start_packet(unsigned network);
  void begin(unsigned network, std::vector<flit> flits, int slot);
  void commit(unsigned network, std::vector<flit> flits, int slot);
  bool may_piggyback(const flit& head) const;
  void piggyback(flit& head);
  void show();
  bool is_acknowledged(const copy& c) const;
  void forget_acknowledged();
  void set_alarm();
  bool open() const;
  std::uint8_t lane_of(const flit& head) const;
  std::vector<flit> with_header(unsigned slot, const flit& header) const;
  nifdy_rank::view view() const { return {tags.read(), dialog.read(), resting_, previous_}; }

  const nifdy_config config_;
  const std::shared_ptr<const routing> routes_;
  const link_end next_;
  nifdy_rank rank_;
  std::vector<std::vector<flit>> buffers_;  // by slot
  int filling_ = no_slot;
  std::optional<flit> last_, previous_;  // chosen at this edge, and at the one before
  std::vector<transmission> ports_;      // by network
  std::vector<bool> showing_;            // by network: what the valid pin shows
  std::deque<ack> acks_waiting_;
  std::vector<copy> copies_;
  std::vector<std::uint32_t> resting_;     // destinations
  std::map<std::uint32_t, bool> toggles_;  // by destination, on a network that loses packets
  std::uint64_t alarm_ = 0;                // call asked for
  unsigned ack_number_ = 0, turn_ = 0;
  endpoint_observer* observer_ = nullptr;
  std::uint64_t lost_ = 0, scalars_ = 0, bulk_ = 0, bypassed_ = 0, acks_sent_ = 0, piggybacked_ = 0,
                again_ = 0;
  std::uint64_t left_empty_ = 0;
};

}  // namespace spillway
