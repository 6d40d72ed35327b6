#include <algorithm>
#include <spillway/tb/goal/rank_state.hpp>
#include <utility>

namespace spillway {

std::optional<std::uint32_t> message_matching::arrive(const goal_message& m) {
  const auto named = posted_.find(key(m.from, m.tag));
  const auto any = std::find_if(posted_any_.begin(), posted_any_.end(), [&](const posted& p) {
    return (p.peer == goal_op::any || p.peer == m.from) && (p.tag == goal_op::any || p.tag == m.tag);
  });
  const bool has_named = named != posted_.end(), has_any = any != posted_any_.end();
  if (!has_named && !has_any) return std::nullopt;
  if (has_any && (!has_named || any->order < named->second.front().order)) {
    const std::uint32_t op = any->op;
    posted_any_.erase(any);
    return op;
  }
  const std::uint32_t op = named->second.front().op;
  named->second.pop_front();
  if (named->second.empty()) posted_.erase(named);
  return op;
}

void message_matching::keep(goal_message m) {
  auto& queue = came_[key(m.from, m.tag)];
  queue.push_back({std::move(m), order_++});
}

std::optional<goal_message> message_matching::receive(const goal_op& op) {
  auto found = came_.end();
  if (op.peer != goal_op::any && op.tag != goal_op::any) {
    found = came_.find(key(op.peer, op.tag));
  } else {
    for (auto at = came_.begin(); at != came_.end(); ++at) {
      const goal_message& m = at->second.front().message;
      if ((op.peer != goal_op::any && op.peer != m.from) || (op.tag != goal_op::any && op.tag != m.tag))
        continue;
      if (found == came_.end() || at->second.front().order < found->second.front().order) found = at;
    }
  }
  if (found == came_.end()) return std::nullopt;
  goal_message m = std::move(found->second.front().message);
  found->second.pop_front();
  if (found->second.empty()) came_.erase(found);
  return m;
}

void message_matching::post(std::uint32_t number, const goal_op& op) {
  const posted p{number, op.peer, op.tag, order_++};
  if (op.peer == goal_op::any || op.tag == goal_op::any)
    posted_any_.push_back(p);
  else
    posted_[key(op.peer, op.tag)].push_back(p);
}

const goal_message* message_matching::unasked() const {
  return came_.empty() ? nullptr : &came_.begin()->second.front().message;
}

}  // namespace spillway
