#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>

namespace spillway {

/// What messages cost a host, in nanoseconds: the parameters of LogGOPS (Hoefler, Schneider and Lumsdaine,
/// 2010) that are the host's. L and the time a byte takes on a link are the network's.
struct host_settings {
  double o = 0;                         ///< of a processor, for a message sent or received
  double O = 0;                         ///< the same, for each byte but the first
  double g = 0;                         ///< from one message of a network interface to the next
  double G = 0;                         ///< the same, for each byte but the first
  std::uint64_t S = ~std::uint64_t{0};  ///< bytes; a longer message waits until its receiver is ready
  double period = 1;                    ///< of a cycle, in nanoseconds
  std::uint32_t flit_bytes = 8;
  std::uint32_t header_bytes = 0;  ///< of each packet
  std::uint32_t packet_flits = 1;  ///< of the longest packet
  std::uint32_t ahead = 1;         ///< packets that may wait in the network interface
  std::uint64_t start = 0;         ///< cycle in which ranks begin
  std::uint32_t window = 1024;     ///< unfinished operations up to which a rank reads on

  /// Reads the keys that workloads of ranks share. Throws std::invalid_argument.
  host_settings(const nlohmann::json& section, double period_ns, std::uint32_t packet_length);
  host_settings() = default;
  /// JSON Schema of those keys, to which a workload adds its own.
  static nlohmann::json schema();

  /// A time in nanoseconds, in cycles: as many as it takes.
  std::uint64_t cycles(double nanoseconds) const;
  /// Of a processor with a message.
  std::uint64_t overhead(std::uint64_t bytes) const { return cycles(o + O * after_first(bytes)); }
  std::uint64_t gap(std::uint64_t bytes) const { return cycles(g + G * after_first(bytes)); }
  /// Flits of a message with all headers, and packets.
  std::uint64_t packets(std::uint64_t bytes) const;
  /// Flits of packet `index` of the message.
  std::uint16_t flits(std::uint64_t bytes, std::uint64_t index) const;

private:
  static double after_first(std::uint64_t bytes) { return bytes > 1 ? static_cast<double>(bytes - 1) : 0; }
  std::uint64_t data_bytes() const { return std::uint64_t{packet_flits} * flit_bytes - header_bytes; }
};

}  // namespace spillway
