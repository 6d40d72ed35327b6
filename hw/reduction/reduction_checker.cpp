#include <spillway/hw/reduction/contribution.hpp>
#include <spillway/hw/reduction/reduction_checker.hpp>
#include <sstream>

namespace spillway {

reduction_checker::reduction_checker(const sc_core::sc_module_name& name, reduction_checker_config config,
                                     violation_handler handler)
    : clocked(name),
      contributions(config.children, "contributions"),
      results(config.children, "results"),
      up(config.root ? 0 : 1, "up"),
      answer(config.root ? 0 : 1, "answer"),
      config_(std::move(config)),
      handler_(std::move(handler)),
      contributed_(config_.children),
      returned_(config_.children) {}

void reduction_checker::reset() {
  open_.clear();
  first_ = up_ = answered_ = 0;
  contributed_.assign(config_.children, 0);
  returned_.assign(config_.children, 0);
}

void reduction_checker::fail(const char* rule, const flit& f, const std::string& what) {
  ++violations_;
  std::ostringstream text;
  text << f << " of round " << round_of(f) << ' ' << what;
  report_violation(handler_, rule, config_.watched, cycle(), text.str());
}

reduction_checker::round_book* reduction_checker::find(std::uint64_t round) {
  return round - first_ < open_.size() ? &open_[round - first_] : nullptr;
}

void reduction_checker::tick() {
  const auto each = [this](packet_watch& w, unsigned lane, auto&& sees) {
    if (!w.crosses()) return;
    wake_at(cycle() + 1);
    if (w.data.read().lane == lane) sees(w.data.read());
  };
  const unsigned group = config_.group;
  const auto lane_to = [&](unsigned c) {
    return c < config_.from_terminal.size() && config_.from_terminal[c] ? 0 : group;
  };
  // What leaves first: the switch acts on what comes from the next edge on.
  for (packet_watch& w : up) each(w, group, [this](const flit& f) { sees_up(f); });
  for (unsigned c = 0; c < config_.children; ++c)
    each(results[c], lane_to(c), [&](const flit& f) { sees_result(c, f); });
  for (packet_watch& w : answer) each(w, group, [this](const flit& f) { sees_answer(f); });
  for (unsigned c = 0; c < config_.children; ++c)
    each(contributions[c], group, [&](const flit& f) { sees_contribution(c, f); });
  while (!open_.empty() && open_.front().served == config_.children) open_.pop_front(), ++first_;
}

void reduction_checker::sees_contribution(unsigned child, const flit& f) {
  const std::uint64_t round = contributed_[child];
  if (round_of(f) != round) return fail("RD1", f, "is contributed, expected round " + std::to_string(round));
  // One more waits in the register of its input.
  if (round - returned_[child] > config_.rounds)
    fail("RD4", f,
         "is one of " + std::to_string(round - returned_[child] + 1) + " rounds of a child under way, of " +
             std::to_string(config_.rounds) + " and one that waits");
  ++contributed_[child];
  while (open_.size() <= round - first_) {
    open_.emplace_back();
    open_.back().from.resize(config_.children);
  }
  round_book& r = *find(round);
  r.from[child] = f;
  if (++r.came == config_.children && config_.root) {
    r.answered = true;
    r.data = partial(r);
  }
}

std::uint32_t reduction_checker::partial(const round_book& r) const {
  std::uint32_t data = data_of(r.from.front());
  for (std::size_t c = 1; c < r.from.size(); ++c)
    data = reduced(reduction_of(r.from[c]), data, data_of(r.from[c]));
  return data;
}

void reduction_checker::sees_up(const flit& f) {
  round_book* const r = find(up_);
  if (round_of(f) != up_ || !r || r->came != config_.children)
    return fail("RD2", f,
                "goes to the parent, expected round " + std::to_string(up_) + ", to which " +
                    std::to_string(r ? r->came : 0) + " of " + std::to_string(config_.children) +
                    " children have contributed");
  r->sent = true;
  ++up_;
  if (data_of(f) != partial(*r))
    fail("RD2", f,
         "bears " + std::to_string(data_of(f)) + ", its children's contributions make " +
             std::to_string(partial(*r)));
}

void reduction_checker::sees_answer(const flit& f) {
  round_book* const r = find(answered_);
  if (round_of(f) != answered_ || !r || !r->sent)
    return fail("RD2", f, "comes from the parent, which has no such contribution");
  r->answered = true;
  r->data = data_of(f);
  ++answered_;
}

void reduction_checker::sees_result(unsigned child, const flit& f) {
  const std::uint64_t round = returned_[child];
  round_book* const r = find(round);
  if (round_of(f) != round || !r || !r->answered)
    return fail("RD3", f, "goes to a child, expected the result of round " + std::to_string(round));
  ++returned_[child];
  ++r->served;
  flit asked = r->from[child];
  asked.lane = f.lane;
  if (f != with_data(asked, r->data)) {
    std::ostringstream text;
    text << "is the result for " << asked << " with " << data_of(f) << ", expected " << r->data;
    fail("RD3", f, text.str());
  }
}

}  // namespace spillway
