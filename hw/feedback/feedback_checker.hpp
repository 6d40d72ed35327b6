#pragma once
#include <cstdint>
#include <deque>
#include <spillway/hw/feedback/admission_arbiter.hpp>
#include <spillway/hw/feedback/feedback_interface.hpp>
#include <spillway/hw/feedback/memory_monitor.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

// Checkers of an omega network's feedback; docs/checker-rules.md states the rules. They watch wires and drive
// none.

/// A checker of feedback wires: reports with the name of what it watches.
class feedback_checker : public clocked {
public:
  std::uint64_t violations() const { return violations_; }  ///< reported so far

protected:
  /// `watched`: name in messages; empty: the checker's own. `handler`: see violation_handler.
  feedback_checker(const sc_core::sc_module_name& name, std::string watched, violation_handler handler);
  void fail(const char* rule, const std::string& what);  ///< reports a violation of `rule`; `what` was seen

private:
  const std::string watched_;
  const violation_handler handler_;
  std::uint64_t violations_ = 0;
};

/// FL2: the line of a module follows the length of its queue.
class line_checker final : public feedback_checker {
public:
  input<std::uint16_t> length{"length"};     ///< requests in the module's memory queue
  input<feedback_lines::word> line{"line"};  ///< the word that the line is in

  /// `module`: its number. `rule`: that of its memory_monitor.
  line_checker(const sc_core::sc_module_name& name, unsigned module, const temperature_rule& rule,
               std::string watched = {}, violation_handler handler = {});

private:
  void reset() override;
  void tick() override;

  const unsigned bit_;
  const temperature_rule rule_;
  bool hot_ = false, expected_ = false, reported_ = false;
  std::deque<std::pair<std::uint64_t, bool>> changes_;  // that the line is still to show, by edge
  unsigned told_ = 0, latest_ = 0;  // lengths: the one that the line tells of, and the one of the edge before
  std::deque<std::pair<std::uint64_t, unsigned>> lengths_;  // that it is still to tell of, by edge
};

/// FL2: all lines are low after a reset.
class lines_checker final : public feedback_checker {
public:
  row<input<feedback_lines::word>> lines;  ///< lines<w>

  /// `modules`: lines that there are.
  lines_checker(const sc_core::sc_module_name& name, unsigned modules, std::string watched = {},
                violation_handler handler = {});

private:
  void reset() override;
  void tick() override;

  bool in_reset_ = false;
};

/// FL3 to FL5: what the bus says is a change, is true, and comes in time.
class bus_checker final : public feedback_checker {
public:
  feedback_bus_in bus{"bus"};              ///< what is announced
  row<input<feedback_lines::word>> lines;  ///< lines<w>

  /// `patience`: cycles that a change may wait, 0 for any number.
  bus_checker(const sc_core::sc_module_name& name, unsigned modules, std::uint64_t patience = 0,
              std::string watched = {}, violation_handler handler = {});

private:
  void reset() override;
  void tick() override;
  void check(const announcement& said);

  const unsigned modules_;
  const std::uint64_t patience_;
  std::vector<bool> known_;           // as announced
  std::vector<bool> line_;            // one edge ago
  std::vector<std::uint64_t> since_;  // edge at which a module's line left what is known; never: it has not
};

/// FL6 and FL7: grants answer wishes, within the limits.
class admission_checker final : public feedback_checker {
public:
  row<admission_watch> clients;            ///< client<p>: processor p
  row<input<feedback_lines::word>> lines;  ///< lines<w>

  /// `terminals`, `limits`: those of the arbiter.
  admission_checker(const sc_core::sc_module_name& name, unsigned terminals, const admission_limits& limits,
                    std::string watched = {}, violation_handler handler = {});

private:
  struct client_state {
    admission_wish wish;  // one edge ago
    bool grant = false;
  };
  void reset() override;
  void tick() override;
  void check_limits();

  const admission_limits limits_;
  std::vector<client_state> last_;         // by client
  std::vector<feedback_lines::word> hot_;  // one edge ago
  std::vector<unsigned> admitted_;         // by module, in this cycle
  std::vector<std::uint32_t> touched_;
};

/// FL8: an interface starts no request to a module that it knows to be hot, unless it may bleed. Not for
/// interfaces that bleed by themselves, by slots or at random.
class guard_checker final : public feedback_checker, public packet_watch {
public:
  row<input<feedback_lines::word>> lines;  ///< lines<w>, of an interface without a bus
  row<feedback_bus_in> bus;                ///< bus0, of one with a bus
  row<input<bool>> grant;                  ///< of an interface that bleeds by grants

  /// `config`: that of the interface.
  guard_checker(const sc_core::sc_module_name& name, const feedback_interface_config& config,
                std::string watched = {}, violation_handler handler = {});

private:
  void reset() override;
  void tick() override;

  hot_list hot_;         // as the interface knew it one edge ago
  bool waited_ = false;  // one edge ago a flit was shown and not taken
  unsigned grants_ = 0;  // that the interface had seen one edge ago, less those used
};

}  // namespace spillway
