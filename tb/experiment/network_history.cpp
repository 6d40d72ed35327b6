#include <fmt/format.h>

#include <algorithm>
#include <spillway/tb/experiment/network_history.hpp>

namespace spillway {

namespace {

constexpr std::size_t most_switches = 4096, most_links = 16384, most_values = 1'500'000;

}  // namespace

std::size_t network_history::most_moments(std::size_t switches, std::size_t links) {
  if (switches == 0 || switches > most_switches || links > most_links) return 0;
  return std::clamp<std::size_t>(most_values / (switches + 2 * links) & ~std::size_t{1}, 40, 200);
}

network_history::network_history(const platform& network, const topology& shape, const network_load& load)
    : network_(network), switches_(shape.switches.size()) {
  const auto place = [this](int number, int terminal) {
    return terminal >= 0 ? -1 - terminal : static_cast<int>(static_cast<std::size_t>(number) % switches_);
  };
  for (std::size_t i = 0; i < network.edges().size(); ++i) {
    const network_edge& e = network.edges()[i];
    if (e.first && (e.from_switch >= 0 || e.to_switch >= 0) && load.counter_of(i))
      links_.push_back(
          {place(e.from_switch, e.from_terminal), place(e.to_switch, e.to_terminal), load.counter_of(i)});
  }
  most_ = most_moments(network.switches().empty() ? 0 : switches_, links_.size());
  if (most_ != 0) return;
  if (!network.switches().empty())
    left_out_ = fmt::format("there are {} switches and {} links, and it is kept for up to {} and {}",
                            switches_, links_.size(), most_switches, most_links);
  links_.clear();
}

network_history::moment network_history::now() const {
  moment m;
  m.cycle = network_.cycle();
  // Of several physical networks the fullest switch in a place is shown.
  std::vector<double> fullest(switches_);
  for (std::size_t s = 0; s < network_.switches().size(); ++s)
    fullest[s % switches_] = std::max(fullest[s % switches_], network_.switches()[s]->fullest());
  for (const double share : fullest) m.fullest += history_digit(share);
  for (const drawn_link& l : links_) {
    const link_counts c = l.counter->counts();
    m.flits.push_back(static_cast<std::uint32_t>(c.flits));
    m.blocked.push_back(static_cast<std::uint32_t>(c.blocked));
    m.stopped += history_digits[std::min(63u, l.counter->stopped())];
  }
  return m;
}

/// Keeps every other moment, and from now on takes half as many.
void network_history::halve() {
  for (std::size_t i = 0; i < moments_.size() / 2; ++i) moments_[i] = std::move(moments_[2 * i + 1]);
  moments_.resize(moments_.size() / 2);
  stride_ *= 2;
}

void network_history::sample() {
  if (most_ == 0 || ++intervals_ % stride_ != 0) return;
  if (moments_.size() == most_) {
    halve();
    if (intervals_ % stride_ != 0) return;
  }
  moments_.push_back(now());
  any_stopped_ = any_stopped_ || moments_.back().stopped.find_first_not_of('A') != std::string::npos;
}

history_record network_history::take() const {
  history_record h;
  h.left_out = left_out_;
  for (const drawn_link& l : links_) h.links.emplace_back(l.from, l.to);
  moment before;
  before.flits.resize(links_.size());
  before.blocked.resize(links_.size());
  for (const moment& m : moments_) {
    h.cycles.push_back(m.cycle);
    h.fullest.push_back(m.fullest);
    // Counts may turn over, differences do not.
    const auto cycles = static_cast<double>(m.cycle - before.cycle);
    std::string used, blocked;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      used += history_digit(std::uint32_t{m.flits[i] - before.flits[i]} / cycles);
      blocked += history_digit(std::uint32_t{m.blocked[i] - before.blocked[i]} / cycles);
    }
    h.used.push_back(std::move(used));
    h.blocked.push_back(std::move(blocked));
    if (any_stopped_) h.stopped.push_back(m.stopped);
    before = m;
  }
  return h;
}

}  // namespace spillway
