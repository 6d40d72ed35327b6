#include <fmt/format.h>

#include <spillway/tb/goal/goal_run.hpp>

// What a run says when its program does not come to its end.

namespace spillway {

std::string goal_run::wait_of(std::uint32_t rank) const {
  const rank_state& r = ranks_[rank];
  const open_op* first = nullptr;
  for (const auto& [number, op] : r.open)
    if (op.started && (!first || op.op.line < first->op.line ||
                       (op.op.line == first->op.line && op.op.column < first->op.column)))
      first = &op;
  if (!first) return fmt::format("rank {} waits for itself", rank);
  const goal_op& op = first->op;
  const std::string where = plan_.program->where(rank, op);
  const std::string tag = op.tag == goal_op::any ? "any tag" : fmt::format("tag {}", op.tag);
  if (op.kind == goal_kind::reduce)
    return fmt::format("rank {} waits at {} for what others contribute", rank, where);
  if (op.kind == goal_kind::send)
    return fmt::format("rank {} waits at {}: rank {} does not receive the message with {}", rank, where,
                       op.peer, tag);
  const std::string from = op.peer == goal_op::any ? "any rank" : fmt::format("rank {}", op.peer);
  return fmt::format("rank {} waits at {} for a message from {} with {}", rank, where, from, tag);
}

const goal_message* goal_run::on_its_way_to(std::uint32_t rank) const {
  for (const terminal_state& t : terminals_)
    for (const goal_message& m : t.under_way)
      if (!m.done && m.to == rank) return &m;
  return nullptr;
}

std::vector<std::string> goal_run::complaints() const {
  std::vector<std::string> all = faults_;
  const bool finished = over();
  for (std::uint32_t r = 0; r < ranks_.size() && all.size() < most_faults; ++r) {
    if (!ranks_[r].over() && stuck()) all.push_back(wait_of(r));
    const goal_message* left = ranks_[r].messages.unasked();
    if (!left && finished) left = on_its_way_to(r);
    if (!left || !(finished || stuck())) continue;
    goal_op sent;
    sent.line = left->line, sent.column = left->column;
    all.push_back(fmt::format("rank {} never receives the message with tag {} that rank {} sends at {}", r,
                              left->tag, left->from, plan_.program->where(left->from, sent)));
  }
  return all;
}

}  // namespace spillway
