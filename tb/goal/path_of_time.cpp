#include <algorithm>
#include <spillway/tb/goal/path_of_time.hpp>

namespace spillway {

void path_of_time::go_on(const path_message& message) {
  ++messages;
  auto next = std::make_shared<node>(node{message, last_, last_ ? last_->depth + 1 : 1});
  last_ = std::move(next);
  if (last_->depth < 2 * kept_messages) return;
  // Old ends are cut off now and then, so that a path does not grow with the program.
  node* end = last_.get();
  unsigned depth = kept_messages;
  for (node* at = end; depth > 0; --depth, at = at->before.get()) {
    at->depth = depth;
    end = at;
    if (!at->before) break;
  }
  end->before.reset();
}

std::vector<path_message> path_of_time::last_messages() const {
  std::vector<path_message> all;
  for (const node* at = last_.get(); at; at = at->before.get()) all.push_back(at->message);
  std::reverse(all.begin(), all.end());
  return all;
}

}  // namespace spillway
