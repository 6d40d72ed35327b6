#include <algorithm>
#include <spillway/hw/feedback/admission_arbiter.hpp>
#include <stdexcept>

namespace spillway {

admission_choice::admission_choice(unsigned clients, unsigned modules, const admission_limits& limits)
    : limits_(limits), module_next_(modules), by_module_(modules) {
  if (limits.total && (limits.hot || limits.cold))
    throw std::invalid_argument("an arbiter limits the requests in all or those to each module, not both");
  all_clients_.reserve(clients);
}

void admission_choice::clear() {
  total_next_ = 0;
  std::fill(module_next_.begin(), module_next_.end(), 0);
}

void admission_choice::pick(const std::vector<std::uint32_t>& clients, std::uint32_t& next, unsigned most) {
  const std::size_t n = clients.size(), wins = most ? std::min<std::size_t>(most, n) : n;
  if (wins == 0) return;
  const auto first =
      static_cast<std::size_t>(std::lower_bound(clients.begin(), clients.end(), next) - clients.begin());
  for (std::size_t i = 0; i < wins; ++i) winners_.push_back(clients[(first + i) % n]);
  next = winners_.back() + 1;
}

const std::vector<std::uint32_t>& admission_choice::sorted_winners() {
  std::sort(winners_.begin(), winners_.end());
  return winners_;
}

admission_arbiter::admission_arbiter(const sc_core::sc_module_name& name, unsigned terminals,
                                     const admission_limits& limits)
    : clocked(name),
      clients(terminals, "clients"),
      lines(feedback_lines::words(terminals), "lines"),
      choice_(terminals, terminals, limits),
      grant_shown_(terminals) {}

void admission_arbiter::reset() {
  choice_.clear();
  std::fill(grant_shown_.begin(), grant_shown_.end(), false);
  for (admission_server& c : clients) c.grant.write(false);
}

void admission_arbiter::tick() {
  wishes_.clear();
  bool wished = false;
  for (std::uint32_t p = 0; p < clients.size(); ++p) {
    const admission_wish& w = clients[p].wish.read();
    wished |= w.count != 0;
    const std::uint32_t module = grant_shown_[p] ? w.second : w.first;
    if (w.count > grant_shown_[p] && module < clients.size()) wishes_.push_back({p, module});
  }
  const auto& winners = choice_.choose(wishes_, [this](std::uint32_t m) {
    return (lines[m / feedback_lines::lines_a_word].read() >> m % feedback_lines::lines_a_word & 1) != 0;
  });
  granted_ += winners.size();
  auto winner = winners.begin();
  for (std::uint32_t p = 0; p < clients.size(); ++p) {
    const bool gives = winner != winners.end() && *winner == p;
    if (gives) ++winner;
    if (gives != grant_shown_[p]) clients[p].grant.write(gives);
    grant_shown_[p] = gives;
  }
  // A wish that equals the one before it, which was granted, is no write that would wake the arbiter.
  if (wished || !winners.empty()) wake_at(cycle() + 1);
}

}  // namespace spillway
