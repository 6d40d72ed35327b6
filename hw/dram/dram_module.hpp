#pragma once
#include <functional>
#include <spillway/hw/dram/dram_banks.hpp>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/endpoints/memory_front.hpp>

namespace spillway {

/// How a memory module serves its requests.
struct dram_config {
  dram_timing timing;      ///< distances between commands
  dram_geometry geometry;  ///< banks and rows
  unsigned queue = 32;     ///< requests that wait or are being served, at least 1
  bool in_order = false;   ///< first come, first served; else those of open rows go first (FR-FCFS)
  unsigned patience = 64;  ///< requests by which one may be passed, before it goes first
  bool closes = false;  ///< a row is closed when no request that waits is for it; else when another is wanted

  /// Throws std::invalid_argument with the rule and the value.
  void check() const;
};

/// The controller of a memory module with banks: takes requests into a queue while there is room, gives its
/// banks a command a cycle, and tells of each request when its data have been on the bus. FR-FCFS: the oldest
/// request whose row is open goes first, then the oldest one whose bank can be made ready (Rixner, Dally,
/// Kapasi, Mattson and Owens, 2000).
class dram_module final : public memory_front {
public:
  /// `terminal`: whose memory it is. `observer` hears of the requests that arrive. Throws as
  /// dram_config::check().
  dram_module(const sc_core::sc_module_name& name, unsigned terminal, const dram_config& config,
              endpoint_observer& observer);

  std::uint64_t held_requests() const override { return queue_.size() + served_.size(); }
  std::uint64_t lost_requests() const override { return lost_; }
  /// `dram.reads`, `dram.writes`, `dram.row_hits` (requests whose row was open when they came to be served
  /// first), `dram.activations`, `dram.data_cycles` (bus in use), `dram.waited` (cycles from the queue to the
  /// data's end, all requests together), `dram.refreshes`, `dram.full_cycles` (in which it takes nothing, as
  /// its queue is full).
  void count(counters& all) const override;

  /// Called for each command, for observation.
  std::function<void(std::uint64_t cycle, dram_command command, unsigned bank, std::uint32_t row)> on_command;

private:
  struct request {
    flit tail;
    dram_place where;
    bool write = false, opened = false;  // opened: a row was opened for it
    unsigned passed = 0;                 // by how many later ones
    std::uint64_t came = 0;
  };
  struct served {
    flit tail;
    std::uint64_t at = 0;  // first cycle after its data
  };
  void reset() override;
  void tick() override;
  void take();
  void schedule();
  void refresh();
  bool serve(std::size_t index);
  bool prepare(std::size_t index);
  bool is_wanted(const dram_place& row) const;
  void close_idle_row();
  void give(dram_command command, unsigned bank, std::uint32_t row);
  void ask(std::uint64_t at) { next_ = std::min(next_, at); }

  const unsigned terminal_;
  const dram_config config_;
  endpoint_observer& observer_;
  dram_banks banks_;
  std::vector<request> queue_;           // the oldest first
  std::vector<served> served_;           // by time
  bool ready_ = false, within_ = false;  // within: a packet whose last flit is still to come
  bool is_full_ = false;
  std::uint64_t full_from_ = 0;  // cycle, while it is
  std::uint64_t next_ = 0;       // cycle in which something may be done
  std::uint64_t refresh_at_;     // cycle in which the next refresh is due
  std::uint64_t lost_ = 0, reads_ = 0, writes_ = 0, hits_ = 0, activations_ = 0, waited_ = 0, full_ = 0,
                refreshes_ = 0;
};

}  // namespace spillway
