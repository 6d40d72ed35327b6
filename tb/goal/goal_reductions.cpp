#include <fmt/format.h>

#include <spillway/tb/goal/goal_run.hpp>

// What a run does where its network reduces: packets go to the terminals themselves, and come back as
// results.

namespace spillway {

/// Results come in the order of the contributions.
void goal_run::result_came(std::uint32_t terminal, std::uint64_t now, const flit& f) {
  terminal_state& t = terminals_[terminal];
  const std::uint64_t round = t.results++;
  const std::uint32_t expected = reductions_->result(terminal, round);
  if (data_of(f) != expected && faults_.size() < most_faults)
    faults_.push_back(fmt::format("terminal {} gets {} of reduction {}, expected {}", terminal, data_of(f),
                                  round, expected));
  for (std::uint32_t i = 0; i < t.under_way.size(); ++i) {
    goal_message& m = t.under_way[i];
    if (m.came == m.packets) continue;
    if (++m.came == m.packets) schedule(terminal, now + 1, event::what::came, terminal, t.first + i);
    return;
  }
}

/// All results of the operation have come.
void goal_run::reduced(const goal_message& m, std::uint64_t now) {
  open_op& op = ranks_[m.to].open.at(m.send_op);
  end_idle(ranks_[m.to], now, &m);
  op.path = m.path;
  op.since = now;
  enqueue(m.to, op.op.cpu,
          {host_job::what::receive, m.send_op, plan_.host.overhead(m.bytes), 0, 0, op.op.nic}, now);
}

}  // namespace spillway
