#include <algorithm>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <spillway/hw/kernel/draw.hpp>
#include <spillway/tb/combining/tree_supply.hpp>

namespace spillway {

namespace {

constexpr std::uint64_t think_purpose = 4;  // of the random stream

template <class T>
T& at(std::vector<T>& list, std::uint64_t number) {
  if (number >= list.size()) list.resize(number + 1);
  return list[number];
}

}  // namespace

tree_watch::tree_watch(const terminal_tree& tree) : listeners_(tree.terminals() - 1) {
  for (std::uint32_t t = 0; t < tree.terminals(); ++t) {
    depth_ = std::max(depth_, tree.depth(t));
    most_children_ = std::max(most_children_, tree.children[t].size());
  }
}

void tree_watch::started(std::uint64_t cycle, number n) {
  at(at(broadcasts_, n.resets), n.since).start = cycle;
}

void tree_watch::heard(std::uint64_t cycle, number n) {
  broadcast& b = at(at(broadcasts_, n.resets), n.since);
  ++b.heard;
  b.last = std::max(b.last, cycle);
  b.sum += static_cast<double>(cycle - b.start);
}

void tree_watch::arrived(std::uint64_t cycle, number n) {
  std::uint64_t& last = at(at(last_arrival_, n.resets), n.since);
  last = std::max(last, cycle);
}

void tree_watch::count(counters& all) const {
  double sum = 0, barriers = 0;
  std::uint64_t complete = 0;
  for (std::size_t r = 0; r < broadcasts_.size(); ++r)
    for (std::size_t b = 0; b < broadcasts_[r].size(); ++b) {
      const broadcast& from = broadcasts_[r][b];
      if (from.heard != listeners_) continue;
      ++complete;
      sum += from.sum;
      if (r < last_arrival_.size() && b < last_arrival_[r].size())
        barriers += static_cast<double>(from.last - last_arrival_[r][b]);
    }
  all["tree.depth"] = depth_;
  all["tree.most_children"] = static_cast<double>(most_children_);
  all["tree.broadcasts"] = static_cast<double>(complete);
  if (complete == 0) return;
  all["tree.delay"] = sum / static_cast<double>(complete * listeners_);
  if (!last_arrival_.empty()) all["tree.barrier"] = barriers / static_cast<double>(complete);
}

tree_supply::tree_supply(std::shared_ptr<const tree_rules> rules, std::shared_ptr<tree_watch> watch,
                         std::uint32_t terminal, std::uint16_t length, std::unique_ptr<packet_supply> own)
    : rules_(std::move(rules)),
      watch_(std::move(watch)),
      terminal_(terminal),
      length_(length),
      own_(std::move(own)),
      thinking_(make_stream(rules_->seed, terminal, think_purpose)) {
  thinks_ = rules_->episodes != 0;
}

packet_order tree_supply::along(std::uint32_t terminal, std::uint8_t traffic_class) const {
  packet_order order;
  order.destination = terminal;
  order.length = length_;
  order.traffic_class = traffic_class;
  return order;
}

void tree_supply::tell_children(std::uint64_t due) {
  for (const std::uint32_t child : rules_->tree.children[terminal_])
    waiting_.push_back({due, along(child, tree_down)});
}

void tree_supply::think(std::uint64_t now) {
  thinks_ = false;
  const double u = boost::random::uniform_01<double>()(thinking_);
  missing_ = 1 + rules_->tree.children[terminal_].size();
  arrives_at_ = now + 1 + cycles_of(-std::log1p(-u) * rules_->think);
}

/// Itself or a child has come to the barrier.
void tree_supply::join(std::uint64_t now) {
  if (--missing_) return;
  if (!is_root()) {
    waiting_.push_back({now + 1, along(rules_->tree.parent[terminal_], tree_up)});
    return;
  }
  watch_->started(now, {resets_, heard_});
  tell_children(now + 1);
  hear(now);
}

void tree_supply::hear(std::uint64_t now) {
  ++heard_;
  if (!rules_->episodes) return;
  arrives_at_ = never;
  if (++barrier_ < rules_->episodes) think(now);
}

void tree_supply::come_to_barrier(std::uint64_t now) {
  if (arrives_at_ > now) return;
  watch_->arrived(arrives_at_, {resets_, barrier_});
  arrives_at_ = never;
  join(now);
}

std::uint64_t tree_supply::due(std::uint64_t now, std::size_t backlog) {
  if (thinks_) think(now);
  come_to_barrier(now);
  std::uint64_t next = std::min(own_->due(now, backlog), arrives_at_);
  if (!waiting_.empty()) next = std::min(next, std::max(now, waiting_.front().due));
  return next;
}

packet_order tree_supply::take(std::uint64_t now) {
  if (waiting_.empty() || waiting_.front().due > now) {
    packet_order order = own_->take(now);
    if (order.kind != flit_kind::combinable || rules_->episodes) return order;
    if (!is_root()) return along(rules_->tree.parent[terminal_], tree_up);
    watch_->started(now, {resets_, heard_++});
    tell_children(now);
  }
  const packet_order order = waiting_.front().order;
  waiting_.pop_front();
  return order;
}

void tree_supply::arrived(std::uint64_t now, const flit& f) {
  if (!(f.traffic_class & (tree_up | tree_down))) {
    own_->arrived(now, f);
    return;
  }
  if (!f.tail()) return;
  if (f.traffic_class & tree_down) {
    watch_->heard(now, {resets_, heard_});
    tell_children(now + 1);
    hear(now);
  } else if (rules_->episodes) {
    join(now);
  }
}

bool tree_supply::exhausted() const {
  return waiting_.empty() && own_->exhausted() && barrier_ == rules_->episodes;
}

/// Broadcasts under way are gone, wherever they are, and all terminals begin anew, with the first barrier.
std::uint64_t tree_supply::forget() {
  std::uint64_t flits = own_->forget();
  for (const message& m : waiting_) flits += m.order.length;
  waiting_.clear();
  ++resets_;
  heard_ = barrier_ = 0;
  arrives_at_ = never;
  thinks_ = rules_->episodes != 0;
  return flits;
}

}  // namespace spillway
