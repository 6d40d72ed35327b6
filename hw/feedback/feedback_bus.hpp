#pragma once
#include <cstdint>
#include <deque>
#include <spillway/hw/feedback/feedback_link.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <vector>

namespace spillway {

/// The feedback bus: of the modules whose lines have changed, one a cycle tells all processor interfaces
/// whether it is hot now (Farrens, Wetmore and Woodruff, section 6.1). The others wait in the order in which
/// they changed, those of the same cycle round robin; one that has changed back is passed over. A change
/// that nothing waits before is heard one edge after the bus sees it.
class feedback_bus final : public clocked {
public:
  row<input<feedback_lines::word>> lines;  ///< `lines<w>`
  feedback_bus_out out{"out"};             ///< the change of this cycle, registered

  /// `modules`: lines that it watches.
  feedback_bus(const sc_core::sc_module_name& name, unsigned modules)
      : clocked(name),
        lines(feedback_lines::words(modules), "lines"),
        modules_(modules),
        last_announced_(lines.size()),
        waits_(lines.size()) {}

  /// A queue of all modules, and of each what was said last and whether it waits.
  hardware_size storage() const override { return {0, modules_, 2 * std::uint64_t{modules_}}; }
  /// Changes announced, most modules that waited at once, and cycles that modules have waited, so far.
  std::uint64_t announced() const { return announced_; }
  std::size_t most_waiting() const { return most_waiting_; }      ///< changes that waited at once
  std::uint64_t cycles_waited() const { return cycles_waited_; }  ///< over all changes

private:
  void reset() override;
  void tick() override;
  void join();
  bool changed(unsigned module) const;

  const unsigned modules_;
  std::vector<feedback_lines::word> last_announced_;  // as announced
  std::vector<feedback_lines::word> waits_;           // those in the queue
  std::deque<std::uint32_t> queue_;
  unsigned next_ = 0;  // module that joins first
  std::uint64_t announced_ = 0, cycles_waited_ = 0;
  std::size_t most_waiting_ = 0;
};

}  // namespace spillway
