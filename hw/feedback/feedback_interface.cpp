#include <algorithm>
#include <spillway/hw/feedback/feedback_interface.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/kernel/draw.hpp>
#include <string>

namespace spillway {

using detail::checked;
using detail::need;

namespace {

// Of processors that toss; others of a run have lower ones.
constexpr std::uint64_t first_toss_stream = std::uint64_t{1} << 42;

}  // namespace

void feedback_interface_config::check() const {
  need(terminals >= 1, "an interface needs modules to send to");
  need(slots >= 1 && slots <= terminals,
       "1 to " + std::to_string(terminals) + " processors a cycle may bleed, found " + std::to_string(slots));
  need(probability >= 0 && probability <= 1,
       "a probability lies between 0 and 1, found " + std::to_string(probability));
  need(!limited || (bleed == bleeding::none && set_aside == 0),
       "where every request needs a grant, none bleeds and none is set aside");
  need(!limited || (hot_list == 0 && !bus), "where every request needs a grant, nobody hears of hot modules");
}

feedback_interface::feedback_interface(const sc_core::sc_module_name& name, unsigned terminal,
                                       const feedback_interface_config& config,
                                       std::unique_ptr<packet_supply> supply, endpoint_observer& observer,
                                       std::shared_ptr<const routing> routes, link_end next, unsigned queue)
    : source(name, terminal, std::move(supply), observer, std::move(routes), next, queue),
      lines(config.bus || config.limited ? 0 : feedback_lines::words(config.terminals), "lines"),
      bus(config.bus && !config.limited ? 1 : 0, "bus"),
      admission(config.has_arbiter() ? 1 : 0, "admission"),
      config_(checked(config)),
      hot_(config.terminals, config.hot_list) {}

std::uint64_t feedback_interface::backlog_flits() const {
  std::uint64_t flits = source::backlog_flits();
  for (const flit& head : aside_) flits += head.length;
  return flits;
}

void feedback_interface::reset() {
  source::reset();
  aside_.clear();
  hot_.clear();
  grants_ = 0;
  first_cycle_ = cycle() + 1;
  alarm_ = 0;
  for (admission_client& a : admission) a.wish.write({});
}

void feedback_interface::tick() {
  listen();
  if (admission.size() && admission[0].grant.read()) {
    ++grants_;
    wake_at(cycle() + 1);
  }
  source::tick();
  if (set_aside()) wake_at(cycle() + 1);
  if (admission.size()) admission[0].wish.write(wish());
  if (sending() || !blocked()) return;
  if (config_.bleed == bleeding::slots) wake_for_slot();
  if (config_.bleed == bleeding::random) wake_at(cycle() + 1);
}

void feedback_interface::listen() {
  hot_.listen(lines);
  if (!bus.size()) return;
  const announcement& said = bus[0].said.read();
  if (said.valid) hot_.set(said.module, said.hot);
}

// Two requests beyond those that wait for a grant, so that the arbiter can admit one a cycle.
std::size_t feedback_interface::unseen_by_supply() const {
  return config_.limited ? sending() + grants_ + std::size_t{2} : 0;
}

bool feedback_interface::choose(flit& chosen) {
  if (config_.limited) {
    if (!grants_ || !source::choose(chosen)) return false;
    --grants_;
    return true;
  }
  if (permitted() && take(true, chosen)) {
    ++bled_;
    return true;
  }
  return take(false, chosen);
}

/// Whether a request to a hot module may go now.
bool feedback_interface::permitted() {
  switch (config_.bleed) {
    case bleeding::none:
      return false;
    case bleeding::granted:
      if (!grants_) return false;
      if (!blocked()) {
        unused_grants_ += grants_;
        grants_ = 0;
        return false;
      }
      --grants_;
      return true;
    case bleeding::slots:
      return has_slot(cycle());
    case bleeding::random:
      return blocked() && toss();
  }
  return false;
}

// A blocked request bleeds only into room that the network has: stuck at the first stage, where what is shown
// must stay, it would be in the way of the requests behind it.
bool feedback_interface::may_bleed(const flit& head, bool anywhere) const {
  return hot_.holds(head.destination) && (anywhere || accepts(out.ready.read(), head));
}

/// The oldest request that would go if it were permitted to bleed; `anywhere`: also if there is no room for
/// it.
const flit* feedback_interface::blocked(bool anywhere) const {
  const auto found =
      std::find_if(aside_.begin(), aside_.end(), [&](const flit& head) { return may_bleed(head, anywhere); });
  if (found != aside_.end()) return &*found;
  if (waiting_.empty() || is_aside(waiting_.front().destination)) return nullptr;
  return may_bleed(waiting_.front(), anywhere) ? &waiting_.front() : nullptr;
}

/// Takes the oldest request to a cool module, or the oldest that may bleed.
bool feedback_interface::take(bool hot, flit& chosen) {
  const auto may_go = [this, hot](const flit& head) {
    return hot ? may_bleed(head) : !hot_.holds(head.destination);
  };
  const auto found = std::find_if(aside_.begin(), aside_.end(), may_go);
  if (found != aside_.end()) {
    chosen = *found;
    aside_.erase(found);
    return true;
  }
  if (waiting_.empty()) return false;
  const flit& front = waiting_.front();
  return may_go(front) && !is_aside(front.destination) && source::choose(chosen);
}

bool feedback_interface::is_aside(std::uint32_t module) const {
  return std::any_of(aside_.begin(), aside_.end(),
                     [module](const flit& head) { return head.destination == module; });
}

/// Takes the front request out of the way of the others, at most one a cycle.
bool feedback_interface::set_aside() {
  if (aside_.size() >= config_.set_aside || waiting_.empty()) return false;
  const std::uint32_t module = waiting_.front().destination;
  if (!hot_.holds(module) && !is_aside(module)) return false;
  aside_.push_back(waiting_.front());
  waiting_.pop_front();
  most_aside_ = std::max(most_aside_, aside_.size());
  return true;
}

admission_wish feedback_interface::wish() const {
  admission_wish w;
  if (config_.limited) {
    // What is granted and cannot go yet waits here, so no more than two grants run ahead of the network.
    if (grants_ >= 2 || waiting_.size() <= grants_) return w;
    w.count = waiting_.size() - grants_ == 1 ? 1 : 2;
    w.first = waiting_[grants_].destination;
    if (w.count == 2) w.second = waiting_[grants_ + 1].destination;
    return w;
  }
  const flit* const head = sending() || grants_ ? nullptr : blocked(!config_.grants_need_room);
  if (!head) return w;
  w.count = 1;
  w.first = head->destination;
  return w;
}

bool feedback_interface::toss() {
  const std::uint64_t word = draw(config_.seed, first_toss_stream + terminal(), tosses_++);
  return static_cast<double>(word >> 11) * 0x1p-53 < config_.probability;
}

/// Whether a counter that starts at the reset and goes up by `slots` a cycle shows this processor.
bool feedback_interface::has_slot(std::uint64_t at) const {
  const auto first = static_cast<unsigned>((at - first_cycle_) * config_.slots % config_.terminals);
  return (terminal() + config_.terminals - first) % config_.terminals < config_.slots;
}

void feedback_interface::wake_for_slot() {
  if (alarm_ > cycle()) return;
  alarm_ = cycle() + 1;
  while (!has_slot(alarm_)) ++alarm_;
  wake_at(alarm_);
}

}  // namespace spillway
