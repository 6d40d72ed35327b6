#pragma once
#include <memory>
#include <spillway/hw/links/bus_link.hpp>
#include <spillway/hw/nifdy/nifdy_acks.hpp>
#include <spillway/hw/nifdy/nifdy_arrivals.hpp>
#include <spillway/hw/nifdy/nifdy_pool.hpp>
#include <spillway/hw/nifdy/nifdy_port.hpp>
#include <spillway/hw/nifdy/nifdy_reorder.hpp>
#include <spillway/hw/nifdy/nifdy_table.hpp>
#include <string>
#include <vector>

namespace spillway {

/// NIFDY, the network interface of Callahan and Goldstein (ISCA 1995): admission control and in-order
/// delivery between a processor and any network that delivers what it accepts.
///
/// At most one scalar packet is unacknowledged a destination and O in all; a receiver may grant a sender a
/// bulk dialog, in which W packets may be. docs/nifdy.md says what is modelled. From `in` to a link takes
/// one cycle after the tail, from a link to `out` two, of a bulk packet three.
class nifdy_unit : public sc_core::sc_module {
public:
  packet_in in{"in"};           ///< from the processor
  packet_out out{"out"};        ///< to the processor
  row<packet_out> to_network;   ///< to_network<n>: into logical network n
  row<packet_in> from_network;  ///< from_network<n>: from it

  /// Throws as nifdy_config::check().
  nifdy_unit(const sc_core::sc_module_name& name, const nifdy_config& config,
             std::shared_ptr<const routing> routes = {}, link_end next = {});

  const nifdy_config& config() const { return config_; }  ///< what it was made with
  /// The sub-blocks, whose clock and reset are the caller's to bind, and the links between them.
  std::vector<clocked*> blocks();
  std::vector<network_link*> links();  ///< packet links and buses within the unit

  /// Who hears of the packets that its pool takes in and lets go.
  void observe(endpoint_observer& observer) { pool_.observe(observer); }

  /// Flits of data that it holds; a packet that is kept for retransmission counts beside the one on its way.
  std::uint64_t held_flits() const;
  std::uint64_t lost_in_reset() const;  ///< flits thrown away by resets so far
  /// Unacknowledged packets of the dialogs, and so on: see the sub-blocks.
  void count(counters& all) const;
  /// Dialogs that it has granted and that are not over.
  unsigned open_dialogs() const { return acks_.open_dialogs(); }

private:
  packet_link& between(const char* what);

  const nifdy_config config_;
  nifdy_pool pool_;
  nifdy_table table_;
  nifdy_port port_;
  nifdy_reorder reorder_;
  nifdy_arrivals arrivals_;
  nifdy_acks acks_;
  std::vector<std::unique_ptr<packet_link>> links_;
  bus_link<nifdy::tags> tags_;      // from table to pool
  bus_link<nifdy::dialog> dialog_;  // the same
};

}  // namespace spillway
