#include <algorithm>
#include <spillway/hw/ecn/ecn_marks.hpp>
#include <spillway/hw/ecn/ecn_reflector.hpp>
#include <spillway/hw/kernel/config_check.hpp>
#include <spillway/hw/switching/next_output.hpp>

namespace spillway {

void ecn_reflector_config::check() const {
  detail::need(network < flit::most_networks, "there is no logical network " + std::to_string(network));
  detail::need(notifications >= 1, "at least 1 notification must have a place");
}

ecn_reflector::ecn_reflector(const sc_core::sc_module_name& name, const ecn_reflector_config& config,
                             std::shared_ptr<const routing> routes, link_end next)
    : clocked(name), config_(detail::checked(config)), routes_(std::move(routes)), next_(next) {
  reflected.lanes().declare(next.lanes);
}

void ecn_reflector::reset() {
  lost_ += queue_.size();
  queue_.clear();
  pending_.clear();
  in.ready.write(0);
  out.valid.write(false);
  reflected.valid.write(false);
}

void ecn_reflector::tick() {
  const bool leaves = out.crosses(), returns = reflected.crosses(), arrives = in.crosses();
  if (leaves) queue_.pop_front();
  if (returns) {
    pending_.pop_front();
    ++sent_;
  }
  if (arrives) {
    const flit& f = in.data.read();
    queue_.push_back(f);
    if (f.head() && (f.marks & ecn::forward)) note(f.source);
  }
  const lane_mask room = queue_.size() < places ? 1 : 0;
  const bool opens = room != in.ready.read();
  in.ready.write(room);
  out.valid.write(!queue_.empty());
  if (!queue_.empty()) out.data.write(queue_.front());
  reflected.valid.write(!pending_.empty());
  if (!pending_.empty()) reflected.data.write(notification_to(pending_.front()));
  if (leaves || returns || arrives || opens) wake_at(cycle() + 1);
}

void ecn_reflector::note(std::uint32_t source) {
  ++marked_;
  if (std::find(pending_.begin(), pending_.end(), source) != pending_.end())
    ++merged_;
  else if (pending_.size() == config_.notifications)
    ++dropped_;
  else
    pending_.push_back(source);
}

flit ecn_reflector::notification_to(std::uint32_t source) const {
  flit f = ecn::notification(config_.terminal, source, config_.network);
  if (next_.lanes > 1) f.lane = lane_ahead(*routes_, next_, f);
  return f;
}

void ecn_reflector::count(counters& all) const {
  all["ecn.packets_marked"] += static_cast<double>(marked_);
  all["ecn.notifications"] += static_cast<double>(sent_);
  all["ecn.notifications_merged"] += static_cast<double>(merged_);
  all["ecn.notifications_dropped"] += static_cast<double>(dropped_);
}

}  // namespace spillway
