#pragma once
#include <cstdint>

namespace spillway::theory {

/// A network of Farrens, Wetmore and Woodruff, with the keys of its platform.
struct feedback_platform {
  std::uint64_t N = 256;            ///< processors and modules
  std::uint64_t depth = 4;          ///< flits a queue of the plain network
  std::uint64_t memory_depth = 32;  ///< flits a memory queue
  std::uint64_t hot_list = 256;     ///< modules that an interface can list as hot
  std::uint64_t flit_bits = 256;
};

/// What the mechanisms of section 6 cost beside the plain network, in bits of storage and in wires.
struct feedback_costs {
  std::uint64_t line_wires;    ///< ideal announcement: a wire a module to every interface
  std::uint64_t bus_wires;     ///< bus: the module's number, hot or cold, and that something is told
  std::uint64_t length_bits;   ///< a memory queue's length, which is compared with the threshold
  std::uint64_t list_bits;     ///< of an interface: a number an entry and a bit whether it is one, or a bit a
                               ///< module if less
  std::uint64_t counter_bits;  ///< of an interface: the counter of section 6.3
  std::uint64_t queue_bits;    ///< of a memory queue: the places beyond `depth`
  std::uint64_t network_bits;  ///< storage of all modules and interfaces together
  std::uint64_t plain_bits;    ///< storage of the plain network's queues, lg N stages of N
};
feedback_costs costs_of(const feedback_platform& p);

}  // namespace spillway::theory
