#include <algorithm>
#include <cmath>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/tb/goal/host_settings.hpp>
#include <stdexcept>
#include <string>

namespace spillway {

host_settings::host_settings(const nlohmann::json& section, double period_ns, std::uint32_t packet_length)
    : o(section.at("o")),
      O(section.at("O")),
      g(section.at("g")),
      G(section.at("G")),
      period(period_ns),
      flit_bytes(section.at("flit_bytes")),
      header_bytes(section.at("header_bytes")),
      packet_flits(packet_length),
      ahead(section.at("ahead")),
      start(section.at("start")),
      window(section.at("window")) {
  if (section.contains("S")) S = section.at("S");
  if (header_bytes >= std::uint64_t{packet_flits} * flit_bytes)
    throw std::invalid_argument("a packet has room for its header and data: expected less than " +
                                std::to_string(std::uint64_t{packet_flits} * flit_bytes) +
                                " bytes of header, found " + std::to_string(header_bytes));
}

nlohmann::json host_settings::schema() {
  return parse_schema(R"({
    "o": {
      "type": "number", "minimum": 0, "maximum": 1e12, "default": 0,
      "description": "Nanoseconds of a processor for a message that it sends or receives (LogGOPS)."
    },
    "O": {
      "type": "number", "minimum": 0, "maximum": 1e9, "default": 0,
      "description": "Nanoseconds of a processor for each byte of it but the first."
    },
    "g": {
      "type": "number", "minimum": 0, "maximum": 1e12, "default": 0,
      "description": "Nanoseconds at least from the start of one message of a network interface to the next."
    },
    "G": {
      "type": "number", "minimum": 0, "maximum": 1e9, "default": 0,
      "description": "Nanoseconds more for each byte but the first, where the interface is slower than its link; the time on the links is the network's."
    },
    "S": {
      "type": "integer", "minimum": 0, "maximum": 281474976710656,
      "description": "Bytes of the longest message that is sent without asking; a longer one waits until its receiver is ready (rendezvous). None waits when left out."
    },
    "flit_bytes": {
      "type": "integer", "minimum": 1, "maximum": 65536, "default": 8,
      "description": "Bytes of a flit."
    },
    "header_bytes": {
      "type": "integer", "minimum": 0, "maximum": 65536, "default": 0,
      "description": "Bytes of each packet that are not data."
    },
    "ranks_per_terminal": {
      "type": "integer", "minimum": 1, "maximum": 65536, "default": 1,
      "description": "Ranks that a terminal has at most. Those of one terminal do not use the network among themselves."
    },
    "placement": {
      "enum": ["linear", "random", "file"], "default": "linear",
      "description": "Which ranks a terminal has: one after another, at random by the seed, or as `placement_file` says."
    },
    "placement_file": {
      "type": "string", "minLength": 1, "x-path": true,
      "description": "The terminal of each rank, a line a rank from rank 0 on, relative to the experiment's file."
    },
    "ahead": {
      "type": "integer", "minimum": 1, "maximum": 65535, "default": 1,
      "description": "Packets up to which a host fills the queues of its network interface, where one that keeps them by destination may let some pass others."
    },
    "start": {
      "type": "integer", "minimum": 0, "maximum": 1000000000000, "default": 0,
      "description": "Cycle in which the ranks begin. Links of a longer latency have their first credits after that latency."
    },
    "window": {
      "type": "integer", "minimum": 1, "maximum": 16777216, "default": 1024,
      "description": "Unfinished operations up to which a rank looks ahead; further only while all of them wait."
    }
  })");
}

std::uint64_t host_settings::cycles(double nanoseconds) const {
  const double exact = nanoseconds / period;
  return static_cast<std::uint64_t>(std::ceil(exact - 1e-9 * std::max(1.0, exact)));
}

std::uint64_t host_settings::packets(std::uint64_t bytes) const {
  return bytes <= data_bytes() ? 1 : (bytes + data_bytes() - 1) / data_bytes();
}

std::uint16_t host_settings::flits(std::uint64_t bytes, std::uint64_t index) const {
  const std::uint64_t before = index * data_bytes();
  const std::uint64_t here = std::min(data_bytes(), bytes > before ? bytes - before : 0) + header_bytes;
  return static_cast<std::uint16_t>(std::max<std::uint64_t>(1, (here + flit_bytes - 1) / flit_bytes));
}

}  // namespace spillway
