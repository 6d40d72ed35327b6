#pragma once
#include <cstdint>

namespace spillway {

/// When a scalar packet is acknowledged.
enum class nifdy_ack {
  accepted,  ///< when the processor takes its head
  inserted,  ///< when its head enters the arrivals FIFO
};
/// Which of the packets that may go is sent.
enum class nifdy_choice {
  oldest,       ///< the one that came first
  round_robin,  ///< the next in turn, by the numbers of their buffers
};

/// Parameters of a NIFDY unit; the letters are those of Callahan and Goldstein's section 2.1.
struct nifdy_config {
  static constexpr unsigned most_pool = 64;  ///< packets of an outgoing pool

  unsigned terminal = 0;       ///< number of the terminal
  unsigned networks = 1;       ///< 1, or 2: request and reply; acknowledgements travel in the last
  unsigned packet_length = 1;  ///< flits of the longest packet, 1 to 65535

  bool protocol = true;      ///< false: only the buffers, no acknowledgements
  unsigned outstanding = 8;  ///< O: unacknowledged scalar packets, 1 to 32
  unsigned pool = 8;         ///< B: packets in the outgoing pool, 1 to `most_pool`
  unsigned dialogs = 1;      ///< D: bulk dialogs that the unit receives in, 0 to 64
  unsigned window = 4;       ///< W: unacknowledged packets of a dialog, 0 to 1024; 0: no bulk mode
  unsigned arrivals = 2;     ///< packets in the arrivals FIFO, at least 1
  nifdy_ack ack_when = nifdy_ack::accepted;  ///< of scalar packets
  /// Dialogs are asked for with a packet behind which the pool has another one for the same destination, and
  /// ended with one behind which it has none, whatever software says.
  bool automatic_requests = false;
  bool ack_each = false;  ///< a bulk packet is acknowledged by itself, not by half windows
  nifdy_choice choice = nifdy_choice::oldest;  ///< of the packets that may go
  unsigned ack_length = 1;                     ///< flits of an acknowledgement, 1 to 65,535
  unsigned ack_processing = 2;                 ///< cycles at each end, T_ackproc / 2, at least 2
  /// Cycles that an acknowledgement waits for a packet to ride on, or until three more wait behind it; only
  /// without `timeout`.
  std::uint64_t piggyback = 0;
  std::uint64_t timeout = 0;   ///< cycles to a retransmission; 0: the network loses nothing
  std::uint64_t patience = 0;  ///< cycles without a packet after which the receiver ends a dialog; 0: never

  bool bulk() const { return protocol && dialogs && window; }  ///< whether there is a bulk mode
  bool lossy() const { return timeout != 0; }                  ///< whether the network may lose packets
  /// Packets that one combined acknowledgement speaks for.
  unsigned ack_every() const { return ack_each || window < 2 ? 1 : window / 2; }
  unsigned ack_network() const { return networks - 1; }  ///< logical network of acknowledgements

  /// The same buffers with the protocol disabled: half of them for arrivals (section 3), and what the pool
  /// has no room for.
  nifdy_config without_protocol() const;
  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
};

}  // namespace spillway
