#pragma once
#include <cstdint>
#include <spillway/hw/dampening/bank_link.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

// Checkers of the links to an emergency bank; docs/checker-rules.md states the rules. They watch wires and
// drive none.

/// What the checkers of bank links have in common.
class bank_rules : public clocked {
public:
  std::uint64_t violations() const { return violations_; }  ///< reported so far

protected:
  /// `slots`: places of the bank. `watched`: name in messages; empty: the checker's own.
  bank_rules(const sc_core::sc_module_name& name, unsigned slots, std::string watched,
             violation_handler handler)
      : clocked(name), slots_(slots), watched_(std::move(watched)), handler_(std::move(handler)) {}

  void fail(const char* rule, const std::string& what);  ///< reports a violation of `rule`; `what` was seen
  /// BL1. False if there is no such place.
  bool exists(unsigned slot, const char* what);
  /// BL3, to be called at every edge of a reset, and at the first one after it.
  void check_silence(bool loud);
  void end_reset(bool loud);  ///< BL3, at the first edge after a reset. `loud`: the link is in use
  unsigned slots() const { return slots_; }  ///< places of the bank

private:
  const unsigned slots_;
  const std::string watched_;
  const violation_handler handler_;
  bool in_reset_ = false, reported_ = false;
  std::uint64_t violations_ = 0;
};

/// Watches one spill link: BL1 and BL3.
class spill_checker final : public bank_rules, public spill_watch {
public:
  /// `slots`: places of the bank. `watched`: name in messages; empty: the checker's own.
  /// `handler`: see violation_handler.
  spill_checker(const sc_core::sc_module_name& name, unsigned slots, std::string watched = {},
                violation_handler handler = {});

private:
  void reset() override;
  void tick() override;
};

/// Watches one refill link: BL1 to BL3.
class refill_checker final : public bank_rules, public refill_watch {
public:
  /// As that of spill_checker.
  refill_checker(const sc_core::sc_module_name& name, unsigned slots, std::string watched = {},
                 violation_handler handler = {});

private:
  void reset() override;
  void tick() override;

  bool asked_ = false;  // at the edge before, for this place
  std::uint16_t asked_for_ = 0;
};

/// Watches all links of one bank: BL4 to BL6, that it keeps what it is given.
class bank_checker final : public bank_rules {
public:
  row<spill_watch> spill;    ///< spill0, ...
  row<refill_watch> refill;  ///< refill0, ...

  /// `ports`: spill links, and as many refill links.
  bank_checker(const sc_core::sc_module_name& name, unsigned ports, unsigned slots, std::string watched = {},
               violation_handler handler = {});

private:
  enum class use : std::uint8_t { empty, stored, fetched };
  struct place {
    use now = use::empty;
    flit data;
  };
  struct answer {
    bool due = false;
    std::uint16_t slot = 0;
    flit data;
  };

  void reset() override;
  void tick() override;
  void take(const spill_watch& from);
  void compare(const refill_watch& got, const answer& expected);
  void note_request(const refill_watch& by, answer& next);

  std::vector<place> places_;
  std::vector<answer> answers_;  // by port, at the next edge
};

}  // namespace spillway
