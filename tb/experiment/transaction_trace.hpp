#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <spillway/platforms/built_in/tlm_network.hpp>
#include <spillway/tb/experiment/packet_trace.hpp>
#include <spillway/tlm/transaction_observer.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// The record of a tlm_network's packets (packet_trace), and of its transactions: a slice at the terminal of
/// the initiator, from the call or BEGIN_REQ to the reply; one at that of the target, from the request's
/// arrival to the answer; and arrows from the one over the ways of the request's packets to the other, and
/// back over those of the reply. Without pins there are no packets, and the arrows go straight. Times are
/// cycles of the clock that steps the network.
///
///     tlm_network network("network", "platform.yaml");
///     transaction_trace trace({"trace.json"}, network);
///     ...
///     sc_core::sc_start();
///     trace.finish();
class transaction_trace final : private transaction_observer {
public:
  /// Before the simulation starts, outside of all modules; it must go before the network. Throws io_error if
  /// the file cannot be written, config_error at `level: functional`, where nothing takes time, and while
  /// another observes the network's transactions.
  transaction_trace(const packet_trace_config& config, tlm_network& network,
                    const catalogue& all = platform_catalogue());
  ~transaction_trace() override;

  /// Writes the rest; nothing is left of a file without it. Throws io_error.
  void finish();
  /// The cycle at which the limit has ended it; 0 if it has not.
  std::uint64_t cut_at() const { return packets_.cut_at(); }

private:
  class no_endpoints;
  class edge_watch;
  /// A packet of a transaction.
  struct passage {
    packet_trace::packet_key packet;
    bool reply = false;
    std::vector<chrome_trace::place> way;
  };
  struct transaction {
    std::string name, arguments;
    std::uint64_t from = 0, until = 0;
    unsigned terminal = 0;
    std::vector<passage> packets;
    chrome_trace::place served;
    std::uint64_t arrived = 0;
    bool answered = false;
  };
  using number = std::pair<unsigned, std::uint32_t>;  // terminal, id

  void begun(unsigned terminal, std::uint32_t id, unsigned destination,
             const tlm::tlm_generic_payload& transaction) override;
  void packet_sent(const tlm_message& message, std::uint32_t packet) override;
  void arrived(unsigned terminal, unsigned source, std::uint32_t id) override;
  void answered(unsigned terminal, unsigned source, std::uint32_t id) override;
  void ended(unsigned terminal, const tlm::tlm_generic_payload& transaction) override;

  std::uint64_t now() const;
  void passes(const packet_trace::packet_key& packet, const chrome_trace::place& slice);
  void write_ended(std::uint64_t before);
  void write(const transaction& t);

  tlm_network& network_;
  const std::unique_ptr<endpoint_observer> endpoints_;
  packet_trace packets_;
  std::unique_ptr<edge_watch> edges_;
  std::map<number, transaction> open_;
  std::map<std::pair<unsigned, const void*>, number> by_payload_;
  std::map<packet_trace::packet_key, std::pair<number, std::size_t>> by_packet_;  // and which of its packets
  std::vector<number> ended_;  // to be written once the watchers of their last cycle have looked
};

}  // namespace spillway
