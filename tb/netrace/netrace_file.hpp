#pragma once
#include <cstdint>
#include <spillway/tb/netrace/byte_stream.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A packet of a trace of memory traffic.
struct netrace_packet {
  std::uint64_t cycle = 0;  ///< before which it is not sent
  std::uint32_t id = 0;     ///< greater than those before it
  std::uint8_t type = 0;
  std::uint8_t source = 0, destination = 0;  ///< nodes
  std::vector<std::uint32_t> dependents;     ///< later packets, which wait until it has come

  unsigned bytes() const;  ///< of its message: 8, or 72 with a cache line; 0: there is no such type
};

struct netrace_region {
  std::uint64_t offset = 0;  ///< bytes from the first packet of all
  std::uint64_t cycles = 0, packets = 0;
};

/// A trace in the format of Netrace (Hestness, Grot and Keckler, 2010), version 1.0, read from its begin on:
/// little-endian and without padding.
///
///     u32 0x484a5455, f32 1.0, 30 characters of a name, u8 nodes, 1 byte, u64 cycles, u64 packets, u32
///     length of notes, u32 regions, 8 bytes; the notes; for each region u64 offset, u64 cycles, u64 packets.
///     Then packets: u64 cycle, u32 id, u32 address, u8 type, u8 source, u8 destination, u8 types of these
///     nodes, u8 dependents, and these as u32.
///
/// Throws config_error `file: byte N: message`, the byte after decompression, for what is no such trace.
class netrace_file {
public:
  explicit netrace_file(std::filesystem::path path);

  unsigned nodes() const { return nodes_; }
  std::uint64_t packets() const { return packets_; }  ///< that its head promises
  const std::vector<netrace_region>& regions() const { return regions_; }
  /// Goes on with the first packet of a region. Only before any was read.
  void skip_to(const netrace_region& region);
  /// The next packet, or false at the end.
  bool next(netrace_packet& p);

private:
  [[noreturn]] void fail(const std::string& message) const;
  std::uint64_t number(unsigned bytes);
  void skip(std::uint64_t bytes);
  void need(std::size_t bytes, const char* what);

  const std::filesystem::path path_;
  const std::unique_ptr<byte_stream> bytes_;
  std::string part_;          // read at once
  std::size_t at_ = 0;        // in it
  std::uint64_t before_ = 0;  // bytes before it
  unsigned nodes_ = 0;
  std::uint64_t packets_ = 0;
  std::vector<netrace_region> regions_;
  std::uint64_t last_cycle_ = 0, last_id_ = 0;
  bool any_ = false;  // packet has been read
};

/// Reads all of a trace. Throws config_error as netrace_file and for packets that wait for nothing that
/// comes, that wait for one that comes to another node than theirs, and for more or fewer than the head
/// promises.
void check_netrace(const std::filesystem::path& path);

}  // namespace spillway
