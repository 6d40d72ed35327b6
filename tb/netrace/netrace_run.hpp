#pragma once
#include <optional>
#include <queue>
#include <spillway/tb/goal/placement.hpp>
#include <spillway/tb/netrace/netrace_file.hpp>
#include <spillway/tb/workloads/workload.hpp>
#include <unordered_map>

namespace spillway {

/// What it takes to play a trace.
struct netrace_plan {
  std::filesystem::path file;
  placement where;  ///< terminal of each node
  std::uint32_t terminals = 0;
  std::optional<netrace_region> region;  ///< to begin with; none: the first
  std::uint64_t from = 0;                ///< cycle of the trace that is cycle 0 of the run
  bool dependencies = true;              ///< whether packets wait for others
  std::uint32_t latency = 1;             ///< cycles from a packet's arrival to what waits for it, at least 1
  std::uint32_t flit_bytes = 8;

  std::uint16_t flits(unsigned bytes) const {
    return static_cast<std::uint16_t>((bytes + flit_bytes - 1) / flit_bytes);
  }
};

/// A trace in one run. Packets are read as their cycles come near, and kept until they have come; each is
/// sent at its cycle, or `latency` after the last of those that it waits for, whichever is later. Packets
/// within a terminal have come when they are sent.
class netrace_run final : public workload_run {
public:
  explicit netrace_run(netrace_plan plan);

  std::unique_ptr<packet_supply> supply(std::uint32_t terminal) override;
  std::vector<std::unique_ptr<measurement>> measures() override;
  bool stuck() const override;
  std::vector<std::string> waits() const override;

  std::uint64_t due(std::uint32_t terminal, std::uint64_t now);
  packet_order take(std::uint32_t terminal, std::uint64_t now);
  /// A packet has come to its terminal.
  void came(std::uint32_t id, std::uint64_t now);
  bool exhausted(std::uint32_t terminal) const { return ended_ && !waiting_ && ready_[terminal].empty(); }

  std::uint64_t read() const { return read_; }    ///< packets so far
  std::uint64_t local() const { return local_; }  ///< within a terminal
  std::uint64_t packets_sent() const { return packets_sent_; }
  /// Cycles that packets were sent after those of the trace, all together.
  std::uint64_t late() const { return late_; }
  std::uint64_t done() const { return done_; }  ///< packets that have come

private:
  using moment = std::pair<std::uint64_t, std::uint32_t>;  // cycle, packet
  struct packet_state {
    netrace_packet packet;
    bool read = false;          // if not, others have said that it waits for them
    std::uint32_t missing = 0;  // of those that it waits for
    std::uint64_t from = 0;     // cycle from which they let it go
  };

  void read_on(std::uint64_t now);
  void release(const packet_state& p);
  const packet_state& sent(std::uint32_t terminal, std::uint64_t now);

  const netrace_plan plan_;
  netrace_file file_;
  bool ended_ = false;
  std::uint64_t horizon_ = 0;  // cycle of the last packet that was read
  std::unordered_map<std::uint32_t, packet_state> open_;
  std::vector<std::priority_queue<moment, std::vector<moment>, std::greater<>>> ready_;  // by terminal
  std::uint64_t read_ = 0, local_ = 0, packets_sent_ = 0, late_ = 0, done_ = 0;
  std::uint64_t waiting_ = 0;  // packets that have been read and wait for others
};

}  // namespace spillway
