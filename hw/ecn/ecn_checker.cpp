#include <algorithm>
#include <spillway/hw/ecn/ecn_checker.hpp>
#include <spillway/hw/ecn/ecn_marks.hpp>
#include <sstream>

namespace spillway {

ecn_checker::ecn_checker(const sc_core::sc_module_name& name, ecn_checker_config config,
                         violation_handler handler)
    : clocked(name),
      config_(std::move(config)),
      handler_(std::move(handler)),
      flows_(config_.terminals),
      owed_(config_.terminals),
      expires_(config_.delays.timer) {}

void ecn_checker::reset() {
  expires_ = cycle() + config_.delays.timer;
  flows_.assign(flows_.size(), flow{0, cycle()});
  owed_.assign(owed_.size(), false);
  waits_.reset();
}

/// A head that is shown now was chosen at the edge before: so it comes first, then what is seen at this edge.
void ecn_checker::tick() {
  if (sent.valid.read() && (!waits_ || *waits_ != sent.data.read())) sees_shown(sent.data.read());
  lower_indexes();
  if (returned.crosses() && ecn::is_notification(returned.data.read())) {
    flow& to = flows_[returned.data.read().source % flows_.size()];
    const auto last = static_cast<unsigned>(config_.delays.table.size() - 1);
    to.index = std::min(to.index + config_.delays.increase, last);
  }
  waits_.reset();
  if (sent.crosses()) {
    const flit& f = sent.data.read();
    if (f.tail()) flows_[f.destination % flows_.size()].tail_sent = cycle();
  } else if (sent.valid.read()) {
    waits_ = sent.data.read();
  }
  if (reflected.crosses()) sees_reflected(reflected.data.read());
  if (arrived.crosses()) {
    const flit& f = arrived.data.read();
    if (f.head() && (f.marks & ecn::forward)) owed_[f.source % owed_.size()] = true;
  }
  if (sent.crosses() || arrived.crosses() || returned.crosses() || reflected.crosses()) wake_at(cycle() + 1);
}

/// Up to this edge, timer by timer: the block may have slept.
void ecn_checker::lower_indexes() {
  if (expires_ > cycle()) return;
  const std::uint64_t times = (cycle() - expires_) / config_.delays.timer + 1;
  expires_ += times * config_.delays.timer;
  for (flow& f : flows_) f.index = f.index > times ? f.index - static_cast<unsigned>(times) : 0;
}

void ecn_checker::sees_shown(const flit& f) {
  if (!f.head()) return;
  // The timer up to the edge before.
  const std::uint64_t now = cycle() - 1;
  const flow& to = flows_[f.destination % flows_.size()];
  const std::uint64_t times = now >= expires_ ? (now - expires_) / config_.delays.timer + 1 : 0;
  const unsigned index = to.index > times ? to.index - static_cast<unsigned>(times) : 0;
  const std::uint64_t since = now - to.tail_sent, delay = config_.delays.table[index];
  if (since >= delay) return;
  std::ostringstream what;
  what << f << " follows the last packet to " << f.destination << " after " << since
       << " cycles, the delay at index " << index << " is " << delay;
  fail("EC1", what.str());
}

void ecn_checker::sees_reflected(const flit& f) {
  std::ostringstream what;
  what << "notification " << f;
  if (!ecn::is_notification(f) || f.source != config_.terminal || f.destination >= owed_.size())
    return fail("EC3", what.str() + " has kind " + std::to_string(static_cast<unsigned>(f.kind)) +
                           " and marks " + std::to_string(f.marks));
  if (!owed_[f.destination])
    fail("EC2", what.str() + ": no marked packet has come from there since the last one");
  owed_[f.destination] = false;
}

void ecn_checker::fail(const char* rule, const std::string& what) {
  ++violations_;
  report_violation(handler_, rule, config_.unit.empty() ? name() : config_.unit, cycle(), what);
}

}  // namespace spillway
