#pragma once
#include <cstdint>
#include <spillway/hw/circuit/circuit_link.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/link_counter.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>

namespace spillway {

/// Which rules a circuit_checker enforces; docs/checker-rules.md states them in full.
struct circuit_checker_config {
  std::string link;            ///< name of the link in messages; empty: the checker's own
  bool stays = true;           ///< CL1 a request stays until it is answered
  bool releases = true;        ///< CL2 it falls at the edge after its answer
  bool answers = true;         ///< CL3 one answer, for one cycle, to a request only
  bool contiguous = true;      ///< CL4 head first, then a flit a cycle to the tail, which stays
  bool complete = true;        ///< CL5 acknowledged only when the tail has been seen
  std::uint64_t patience = 0;  ///< CL6 cycles that a circuit may be held; 0: any number
  bool known = true;           ///< CL7 silent out of reset, and index below length
};

/// Watches the wires of one circuit link and drives none. It runs on either kernel, and on the fast one it
/// sleeps while the link does not change. `rst` is the reset of the link's blocks.
class circuit_checker : public clocked, public circuit_watch, public link_counter {
public:
  /// `config`: the rules. `handler`: see violation_handler.
  explicit circuit_checker(const sc_core::sc_module_name& name, circuit_checker_config config = {},
                           violation_handler handler = {});

  std::uint64_t violations() const { return violations_; }  ///< reported so far
  /// Circuits that were acknowledged, and that were rejected, on this link.
  std::uint64_t acknowledged() const { return acknowledged_; }
  std::uint64_t rejected() const { return rejected_; }  ///< circuits that were rejected
  const std::string& counted_link() const override { return config_.link; }
  /// Flits of the messages that arrived; blocked: cycles in which the link was held by one that was rejected.
  link_counts counts() const override { return {flits_, wasted_}; }

private:
  enum class phase : std::uint8_t {
    idle,
    open,      // requested
    answered,  // at the last edge
    lost,      // a rule was broken: wait for the request to fall
  };

  void reset() override;
  void tick() override;
  void begin();
  void follow_message();
  void check_answer(bool whole);
  bool valid_fields(const flit& f);
  void check_patience();
  void fail(const char* rule, const std::string& what);

  const circuit_checker_config config_;
  const violation_handler handler_;
  flit shown_;
  std::uint64_t since_ = 0;
  phase phase_ = phase::idle;
  bool late_ = false;            // CL6 reported
  bool in_reset_ = false;        // at the edge before
  bool reset_reported_ = false;  // the violation during this reset is reported
  std::uint64_t violations_ = 0, acknowledged_ = 0, rejected_ = 0;
  std::uint64_t flits_ = 0, wasted_ = 0;  // wasted: cycles of requests that were rejected
};

}  // namespace spillway
