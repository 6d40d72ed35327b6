#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <spillway/hw/dampening/assignment.hpp>
#include <spillway/hw/dampening/pool_observer.hpp>
#include <spillway/hw/dampening/pool_places.hpp>
#include <spillway/hw/dampening/waiting_lists.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// A pool as its checker knows it.
struct checked_pool {
  std::unique_ptr<assignment> rule;  ///< says which buffers a processor may use; nothing is taken from it
  bool by_source = false;            ///< what the rule's keys are
  unsigned slots = 0;                ///< places of its bank
  unsigned reserve = 0;              ///< of them, kept for messages under way
  /// The places, where they are all that has to be known: the sender calculates, and gives sets. nullptr: the
  /// checker keeps books of them.
  const pool_places* places = nullptr;
  const waiting_lists* waiting = nullptr;  ///< of its bank; nullptr: rule I4 is not looked at
};

/// What a pool_checker watches; docs/checker-rules.md states the rules in full.
struct pool_checker_config {
  std::string watched;         ///< name of the switch in messages
  unsigned inputs_a_pool = 1;  ///< links that a pool answers; 0: it tells nothing, the sender calculates
  unsigned latency = 1;        ///< cycles from a decision to the link's pins
};

/// Holds the pools of a dampening switch to the invariants I1 to I7 of Kuszmaul and Kuszmaul's scheme. It
/// keeps books of its own from what the switch says that it does (pool_observer) and compares them with the
/// bank's waiting lists and with the pins that go back to the senders. `rst` is the switch's.
class pool_checker final : public clocked, public pool_observer {
public:
  // By link, pool after pool; none where nothing is announced.
  row<input<control_message>> control;  ///< control0, ...
  row<input<bool>> interdict;           ///< interdict0, ...

  /// `pools`: of the switch, in the order of their numbers. `handler`: see violation_handler.
  pool_checker(const sc_core::sc_module_name& name, pool_checker_config config,
               std::vector<checked_pool> pools, violation_handler handler = {});

  /// Binds to the wires of the link that comes in at the switch's input i.
  template <class Wires>
  void bind(unsigned i, Wires& link) {
    control[i](link.control), interdict[i](link.interdict);
  }
  std::uint64_t violations() const { return violations_; }  ///< reported so far

  void stored(unsigned pool, unsigned buffer, const flit& f) override;
  void passed(unsigned pool, const flit& f) override;
  void freed(unsigned pool, unsigned buffer) override;
  void banked(unsigned pool, unsigned slot, const flit& f) override;
  void assigned(unsigned pool, unsigned slot, unsigned buffer) override;
  void sent_from_bank(unsigned pool, unsigned slot) override;
  void announced(unsigned pool, const control_message& control, bool interdict) override;

private:
  static constexpr std::uint16_t none = 0xffff;
  enum class use : std::uint8_t { free, waits, moves };
  struct buffer {
    message_key key = 0;
    bool taken = false;
    std::uint16_t comes_from = none;  // place of the bank whose message it is for
    std::uint16_t wanted_by = 0;      // messages of the bank that it would do for
  };
  struct slot {
    message_key key = 0;
    use now = use::free;
  };
  struct processor {
    std::uint16_t held = 0;  // buffers, where the rule limits them
    std::uint16_t banked = 0;
    bool announced = false;  // its embargo
  };
  struct answer {
    control_message control;
    bool interdict = false;
    bool operator==(const answer& o) const { return control == o.control && interdict == o.interdict; }
  };
  struct books {
    explicit books(checked_pool of);
    void clear();

    checked_pool of;
    unsigned limit;  // buffers that a processor may have; 0: the rule says which, or none
    std::vector<buffer> buffers;
    std::vector<slot> bank;
    key_table<processor> processors;
    unsigned used = 0, free_slots = 0, waiting = 0;
    unsigned unannounced = 0;  // processors whose embargo has changed
    bool unannounced_reported = false;
    std::vector<std::uint16_t> left;                      // buffers, in this cycle
    answer last, shown;                                   // announced, and what the pins are to show
    std::deque<std::pair<std::uint64_t, answer>> coming;  // with the edge at which it is there
  };

  void reset() override;
  void tick() override;
  // Out of the way of what every message passes.
  template <class... Parts>
  [[gnu::cold, gnu::noinline]] void fail(const char* rule, unsigned pool, const Parts&... parts);
  template <class... Parts>
  [[gnu::cold, gnu::noinline]] void fail_at(const char* rule, unsigned pool, std::uint64_t cycle,
                                            const Parts&... parts);
  void take(books& p, unsigned pool, unsigned number, message_key key);
  void check_set(books& p, unsigned pool, unsigned number, message_key key);
  void leave(books& p, unsigned number);
  void check_may_wait(unsigned pool, unsigned slot, buffer_span set);
  void check_lists(unsigned pool, unsigned slot, buffer_span set);
  void check_list(unsigned pool, unsigned number);
  void stop_waiting(unsigned pool, unsigned slot, use next);
  void check_left(unsigned pool);
  void check_announced(unsigned pool, const control_message& m);
  void check_pins(unsigned pool);
  template <class F>
  void change(books& p, message_key key, F&& f);
  static bool hot(const books& p, const processor& it);
  static bool stale(const books& p, const processor& it);

  const pool_checker_config config_;
  const violation_handler handler_;
  std::vector<books> pools_;
  std::vector<bool> wrong_;  // by link: its pins are not as announced, which was said
  std::uint64_t violations_ = 0;
};

}  // namespace spillway
