#pragma once
#include <cstdint>
#include <spillway/hw/combining/combining_queue.hpp>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/flit.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>
#include <unordered_map>

namespace spillway {

/// Hears what a switch or node that combines does with requests and their replies, and changes nothing.
class combining_observer {
public:
  virtual ~combining_observer() = default;
  std::uint64_t now = 0;  ///< the edge at which it is called
  /// A request that came in by `port` goes on.
  virtual void passed(const flit& request, unsigned port) = 0;
  /// A request that came in by `port` becomes part of one that has passed.
  virtual void merged(const flit& survivor, const flit& request, unsigned port) = 0;
  /// Of a reply one is split, to a request that was merged into its own; it leaves by `port`.
  virtual void split(const flit& reply, const flit& branch, unsigned port) = 0;
  /// All that was to be split from a reply is; it leaves by `port`.
  virtual void turned_back(const flit& reply, unsigned port) = 0;
  /// A reply that was split off has a place outside of the wait buffer.
  virtual void placed() = 0;
};

/// Holds a wait buffer, and the ways of replies, to rules WB1 to WB4; docs/checker-rules.md states them in
/// full. It keeps books of its own, of all requests without a reply. `rst` is the switch's.
class wait_buffer_checker final : public clocked, public combining_observer {
public:
  /// `watched`: name of the switch in messages. `config`: what may be combined, and how much
  /// of it. `handler`: see violation_handler.
  wait_buffer_checker(const sc_core::sc_module_name& name, std::string watched,
                      const combining_config& config, violation_handler handler = {});

  std::uint64_t violations() const { return violations_; }  ///< reported so far

  void passed(const flit& request, unsigned port) override;
  void merged(const flit& survivor, const flit& request, unsigned port) override;
  void split(const flit& reply, const flit& branch, unsigned port) override;
  void turned_back(const flit& reply, unsigned port) override;
  void placed() override { --held_; }

private:
  struct request {
    unsigned port = 0;
    bool merged = false;
    std::uint64_t survivor = 0;  // its key, of a merged one
    unsigned joined = 0;         // requests that are part of it here
  };

  void reset() override;
  void tick() override {}
  void fail(const char* rule, const flit& f, const std::string& what);
  void check_port(const flit& reply, unsigned found, unsigned expected);

  const std::string watched_;
  const combining_config config_;
  const violation_handler handler_;
  std::unordered_map<std::uint64_t, request> open_;  // by key
  unsigned held_ = 0;                                // merged ones, and replies split off
  std::uint64_t violations_ = 0;
};

}  // namespace spillway
