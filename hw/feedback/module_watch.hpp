#pragma once
#include <cstdint>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/kernel/counters.hpp>
#include <vector>

namespace spillway {

/// Watches the requests of a platform on their way to the memory modules, passes every event on, and measures
/// - undershoot: cycles in which a module takes no request while some processor holds one for it;
/// - overshoot: from one release (a hot module turns cool) to the next, the most requests for the module in
/// the
///   network and in its queue, and the cycles for which it was hot again.
/// The order of the calls within a cycle does not matter. Not hardware: nothing reads it back.
class module_watch final : public endpoint_observer {
public:
  /// `modules`: numbers are below it. `next`: hears every event.
  module_watch(unsigned modules, endpoint_observer& next) : next_(next), modules_(modules) {}

  void created(std::uint64_t cycle, const flit& head) override;
  void injected(std::uint64_t cycle, const flit& head) override;
  void delivered(std::uint64_t cycle, unsigned terminal, const flit& f) override;
  void held_back(std::uint64_t cycle, const flit& head) override { next_.held_back(cycle, head); }
  void let_go(std::uint64_t cycle, const flit& head) override { next_.let_go(cycle, head); }
  void combined(std::uint64_t cycle, const flit& survivor, const flit& merged) override;
  void split(std::uint64_t cycle, const flit& reply, const flit& branch) override {
    next_.split(cycle, reply, branch);
  }
  /// What a module's memory_monitor sees.
  void monitored(std::uint64_t cycle, unsigned module, unsigned length, bool hot);

  /// A reset has thrown away all requests; an episode that it ends is not counted.
  void write_off(std::uint64_t cycle);

  /// Adds the counters `undershoot` and `overshoot`, over all cycles so far. `busiest` is the module with the
  /// most requests, the first of them.
  void count(counters& all) const;

private:
  struct module_state {
    std::uint64_t since = 0;  // first cycle not accounted for yet
    std::uint64_t held = 0;   // requests that processors hold
    // Requests in the network and the queue; below 0 within a cycle, in which calls come in any order.
    std::int64_t under_way = 0;
    std::uint64_t created = 0, idle = 0, idle_while_held = 0;
    bool took = false;  // a flit in cycle `since`
    bool hot = false, released = false;
    std::uint64_t hot_since = 0, releases = 0, hot_cycles = 0;
    std::int64_t peak_under_way = 0;
    unsigned length = 0, peak_length = 0;
    double sum_under_way = 0, sum_length = 0;  // of the peaks
    std::int64_t most_under_way = 0;
    unsigned most_length = 0;
  };

  static void account(module_state& m, std::uint64_t cycle);
  static void end_episode(module_state& m, std::uint64_t cycle);

  std::uint64_t now_ = 0;
  endpoint_observer& next_;
  std::vector<module_state> modules_;
};

}  // namespace spillway
