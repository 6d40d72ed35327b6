#pragma once
#include <memory>
#include <optional>
#include <spillway/hw/links/link_pipeline.hpp>
#include <spillway/hw/switching/output_buffer.hpp>
#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/elaborate/switch_entry.hpp>
#include <spillway/platforms/topology/analysis.hpp>
#include <spillway/platforms/topology/estimate.hpp>
#include <spillway/platforms/topology/topology.hpp>
#include <string>

namespace spillway {

/// What clocks the blocks: an sc_clock and sc_signals, or a clock_domain and its wires; doubting: one that
/// checks that blocks sleep only when they may.
enum class kernel { signals, fast, doubting };
kernel kernel_of(const std::string& name);
const char* name_of(kernel k);

/// How much of a network is modelled.
enum class abstraction {
  pins,         ///< every block with its pins
  transaction,  ///< one model of the whole network; what it keeps of the pins' timing is the model's to say
  functional,   ///< who is reached by which address, and no time
};
abstraction abstraction_of(const std::string& name);
const char* name_of(abstraction level);

/// How a network is elaborated, and of what blocks.
struct platform_config {
  kernel runs_on = kernel::fast;
  unsigned threads = 1;            ///< of the fast kernel, at most; see clock_domain::use_threads()
  unsigned blocks_a_thread = 512;  ///< or more
  abstraction level = abstraction::pins;
  double period_ns = 1;                             ///< of the clock
  link_pipeline_config links{1, 0};                 ///< of latency 1: wires alone
  std::optional<output_buffer_config> buffers;      ///< between the senders and their links
  unsigned packet_length = 1;                       ///< flits of the longest packet
  unsigned source_queue = 0;                        ///< packets; 0: any number
  std::uint64_t seed = 1;                           ///< of what the blocks draw
  nlohmann::json switches{{"kind", "packet"}};      ///< the `switch` section, defaults filled in
  nlohmann::json interfaces{{"kind", "plain"}};     ///< the `interface` section, defaults filled in
  nlohmann::json stages = nlohmann::json::array();  ///< the `stages` section, likewise
  nlohmann::json marking = {};                      ///< the `marking` section, likewise; null: there is none
  nlohmann::json dropping = {};                     ///< the `dropping` section, likewise

  /// Whether there is more to a link than wires.
  bool has_long_links() const { return links.latency > 1 || buffers; }
  /// Cycles that a head takes over a link, beyond the one of wires.
  unsigned further_cycles() const { return links.latency - 1 + (buffers ? buffers->cycles : 0); }
  /// The period. Throws std::invalid_argument if SystemC's time resolution cannot express it or, with `own`,
  /// the half of it at which a clock of the network's own has its first edge.
  sc_core::sc_time period(bool own = true) const;
};

/// A network as an experiment file describes it, ready to be elaborated.
struct network_plan {
  topology shape;  ///< at the transaction level its terminals are enough
  std::shared_ptr<const routing> routes;
  platform_config config;
};

/// The sections topology, routing, switch, link, marking, dropping, interface, packet, endpoint.queue, kernel
/// and level of an experiment. Throws config_error with the place of what is wrong; refuses a size that the
/// machine's memory cannot hold before it takes any.
network_plan read_network(const document& file, const catalogue& all);

/// What the network of an experiment will take, but for the buffers of its switches.
size_estimate estimate_network(const document& file, const network_plan& plan, const catalogue& all);

/// Bytes of the buffers of its switches.
double buffer_bytes(const network_plan& plan, const catalogue& all);

/// Latency of the network without contention, that of its links included; nullopt: not known.
std::optional<zero_load> latency_of(const network_plan& plan, const catalogue& all);
/// The same in words; empty if it is not known.
std::string describe_latency(const network_plan& plan, const catalogue& all);

/// Follows the routes of the network, which must be there: not at the transaction level. Of a large one a
/// sample, see analysis_options::most; what `options` says of buffers is the network's own.
analysis analyse_network(const network_plan& plan, const catalogue& all, analysis_options options = {});

/// Throws config_error if the kinds of blocks do not fit together, or their keys do not fit the network, or
/// its buffers the machine's memory.
void check_blocks(const network_plan& plan, const catalogue& all, const document& file);

/// The same, and throws if some terminal cannot reach another, or if the network can deadlock and the
/// experiment does not say `checks: {deadlock: false}`.
void check_network(const network_plan& plan, const catalogue& all, const document& file);

}  // namespace spillway
