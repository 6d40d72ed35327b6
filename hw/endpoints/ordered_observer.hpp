#pragma once
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/kernel/edge_log.hpp>

namespace spillway {

/// Passes on to `next` what the blocks of a clock domain tell, one call after another and in the order of the
/// blocks, however many threads step them.
class ordered_observer final : public endpoint_observer {
public:
  /// `domain`: nullptr for blocks on signals. `late`: `next` may be told beside the next edge, see
  /// clock_domain::add_log.
  ordered_observer(clock_domain* domain, endpoint_observer& next, bool late = false)
      : next_(next),
        log_(
            domain, [this](const event& e) { pass_on(e); }, late) {}

  void created(std::uint64_t cycle, const flit& head) override {
    keeps() ? keep(kind::created, cycle, head) : next_.created(cycle, head);
  }
  void injected(std::uint64_t cycle, const flit& head) override {
    keeps() ? keep(kind::injected, cycle, head) : next_.injected(cycle, head);
  }
  void delivered(std::uint64_t cycle, unsigned terminal, const flit& f) override {
    keeps() ? keep(kind::delivered, cycle, f, terminal) : next_.delivered(cycle, terminal, f);
  }
  void held_back(std::uint64_t cycle, const flit& head) override {
    keeps() ? keep(kind::held_back, cycle, head) : next_.held_back(cycle, head);
  }
  void let_go(std::uint64_t cycle, const flit& head) override {
    keeps() ? keep(kind::let_go, cycle, head) : next_.let_go(cycle, head);
  }
  void combined(std::uint64_t cycle, const flit& survivor, const flit& merged) override {
    if (!keeps()) return next_.combined(cycle, survivor, merged);
    keep(kind::survivor, cycle, survivor);
    keep(kind::combined, cycle, merged);
  }
  void split(std::uint64_t cycle, const flit& reply, const flit& branch) override {
    if (!keeps()) return next_.split(cycle, reply, branch);
    keep(kind::reply, cycle, reply);
    keep(kind::split, cycle, branch);
  }

private:
  enum class kind : std::uint8_t {
    created,
    injected,
    delivered,
    held_back,
    let_go,
    survivor,
    combined,
    reply,
    split
  };
  // One of two flits is two events: most are of one, and in few lines of memory for the other thread.
  struct event {
    std::uint64_t cycle;
    flit f;
    unsigned terminal;
    kind what;
  };

  // An event is much to copy, so one thread passes on what it is given.
  static bool keeps() { return edge_log<event>::keeps(); }
  void keep(kind what, std::uint64_t cycle, const flit& f, unsigned terminal = 0) {
    log_.say({cycle, f, terminal, what});
  }
  void pass_on(const event& e) {
    switch (e.what) {
      case kind::created:
        return next_.created(e.cycle, e.f);
      case kind::injected:
        return next_.injected(e.cycle, e.f);
      case kind::delivered:
        return next_.delivered(e.cycle, e.terminal, e.f);
      case kind::held_back:
        return next_.held_back(e.cycle, e.f);
      case kind::let_go:
        return next_.let_go(e.cycle, e.f);
      case kind::survivor:
      case kind::reply:
        return static_cast<void>(first_ = e.f);
      case kind::combined:
        return next_.combined(e.cycle, first_, e.f);
      case kind::split:
        return next_.split(e.cycle, first_, e.f);
    }
  }

  flit first_;  // of two, until the second is told
  endpoint_observer& next_;
  edge_log<event> log_;
};

}  // namespace spillway
