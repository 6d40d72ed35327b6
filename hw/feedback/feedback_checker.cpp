#include <algorithm>
#include <spillway/hw/feedback/feedback_checker.hpp>
#include <sstream>

namespace spillway {

namespace {

constexpr std::uint64_t never = ~std::uint64_t{0};

std::string modules_text(std::uint32_t module) { return "module " + std::to_string(module); }

}  // namespace

std::unique_ptr<clocked> feedback_lines::make_checker(const violation_handler& handler) {
  auto checker = std::make_unique<lines_checker>(checker_name().c_str(), modules_, path(), handler);
  connect_words(checker->lines);
  return checker;
}

feedback_checker::feedback_checker(const sc_core::sc_module_name& name, std::string watched,
                                   violation_handler handler)
    : clocked(name), watched_(std::move(watched)), handler_(std::move(handler)) {}

void feedback_checker::fail(const char* rule, const std::string& what) {
  ++violations_;
  report_violation(handler_, rule, watched_.empty() ? name() : watched_, cycle(), what);
}

line_checker::line_checker(const sc_core::sc_module_name& name, unsigned module, const temperature_rule& rule,
                           std::string watched, violation_handler handler)
    : feedback_checker(name, std::move(watched), std::move(handler)),
      bit_(module % feedback_lines::lines_a_word),
      rule_(rule) {}

void line_checker::reset() {
  hot_ = expected_ = reported_ = false;
  changes_.clear();
  told_ = latest_ = 0;
  lengths_.clear();
}

void line_checker::tick() {
  if (!changes_.empty() && changes_.front().first == cycle()) {
    expected_ = changes_.front().second;
    changes_.pop_front();
  }
  for (; !lengths_.empty() && lengths_.front().first <= cycle(); lengths_.pop_front())
    told_ = lengths_.front().second;
  const bool hot = line.read() >> bit_ & 1;
  if (hot != expected_ && !reported_)
    fail("FL2", std::string("the line is ") + (hot ? "high" : "low") + ", the queue held " +
                    std::to_string(told_) + " requests " + std::to_string(rule_.delay) +
                    (rule_.delay == 1 ? " cycle" : " cycles") + " ago");
  reported_ = hot != expected_;
  if (length.read() != latest_) lengths_.emplace_back(cycle() + rule_.delay, latest_ = length.read());
  const bool next = rule_.next(hot_, length.read());
  if (next != hot_) changes_.emplace_back(cycle() + rule_.delay, next);
  hot_ = next;
  if (!changes_.empty()) wake_at(changes_.front().first);
}

lines_checker::lines_checker(const sc_core::sc_module_name& name, unsigned modules, std::string watched,
                             violation_handler handler)
    : feedback_checker(name, std::move(watched), std::move(handler)),
      lines(feedback_lines::words(modules), "lines") {}

void lines_checker::reset() { in_reset_ = true; }

void lines_checker::tick() {
  for (unsigned w = 0; in_reset_ && w < lines.size(); ++w)
    if (lines[w].read())
      fail("FL2", "a line of word " + std::to_string(w) + " is high at the first edge after reset");
  in_reset_ = false;
}

bus_checker::bus_checker(const sc_core::sc_module_name& name, unsigned modules, std::uint64_t patience,
                         std::string watched, violation_handler handler)
    : feedback_checker(name, std::move(watched), std::move(handler)),
      lines(feedback_lines::words(modules), "lines"),
      modules_(modules),
      patience_(patience),
      known_(modules),
      line_(modules),
      since_(modules, never) {}

void bus_checker::reset() {
  known_.assign(modules_, false);
  line_.assign(modules_, false);
  since_.assign(modules_, never);
}

void bus_checker::tick() {
  const announcement& said = bus.said.read();
  if (said.valid) check(said);
  bool waits = false;
  for (unsigned m = 0; m < modules_; ++m) {
    line_[m] = lines[m / feedback_lines::lines_a_word].read() >> m % feedback_lines::lines_a_word & 1;
    if (line_[m] == known_[m]) {
      since_[m] = never;
      continue;
    }
    waits = true;
    if (since_[m] == never) since_[m] = cycle();
    const std::uint64_t waited = cycle() - since_[m];
    if (patience_ && waited && waited - 1 == patience_)
      fail("FL5", modules_text(m) + " turned " + (line_[m] ? "hot" : "cool") + " at cycle " +
                      std::to_string(since_[m]) + ", and the bus has not announced it");
  }
  if (said.valid || waits) wake_at(cycle() + 1);
}

void bus_checker::check(const announcement& said) {
  std::ostringstream text;
  text << "the bus says \"" << said << '"';
  if (said.module >= modules_) {
    fail("FL3", text.str() + ", there are " + std::to_string(modules_) + " modules");
    return;
  }
  if (known_[said.module] == said.hot)
    fail("FL3", text.str() + ", which is no news");
  else if (line_[said.module] != said.hot)
    fail("FL4", text.str() + ", the line said the opposite");
  known_[said.module] = said.hot;
  since_[said.module] = never;
}

admission_checker::admission_checker(const sc_core::sc_module_name& name, unsigned terminals,
                                     const admission_limits& limits, std::string watched,
                                     violation_handler handler)
    : feedback_checker(name, std::move(watched), std::move(handler)),
      clients(terminals, "client"),
      lines(feedback_lines::words(terminals), "lines"),
      limits_(limits),
      last_(terminals),
      hot_(lines.size()),
      admitted_(terminals) {}

void admission_checker::reset() {
  std::fill(last_.begin(), last_.end(), client_state{});
  std::fill(hot_.begin(), hot_.end(), 0);
}

void admission_checker::tick() {
  bool busy = false;
  for (unsigned p = 0; p < last_.size(); ++p) {
    client_state& c = last_[p];
    const bool grant = clients[p].grant.read();
    if (grant && c.wish.count <= c.grant) {
      fail("FL6", "processor " + std::to_string(p) + " has a grant and wished for none");
    } else if (grant) {
      const std::uint32_t module = c.grant ? c.wish.second : c.wish.first;
      if (module >= admitted_.size())
        fail("FL6", "processor " + std::to_string(p) + " has a grant for " + modules_text(module) +
                        ", there are " + std::to_string(admitted_.size()));
      else if (admitted_[module]++ == 0)
        touched_.push_back(module);
    }
    const admission_wish& wish = clients[p].wish.read();
    busy |= grant || wish.count;
    c = {wish, grant};
  }
  check_limits();
  for (unsigned w = 0; w < hot_.size(); ++w) hot_[w] = lines[w].read();
  if (busy) wake_at(cycle() + 1);
}

void admission_checker::check_limits() {
  unsigned total = 0;
  for (const std::uint32_t m : touched_) {
    const bool hot = hot_[m / feedback_lines::lines_a_word] >> m % feedback_lines::lines_a_word & 1;
    const unsigned most = hot ? limits_.hot : limits_.cold;
    if (most && admitted_[m] > most)
      fail("FL7", std::to_string(admitted_[m]) + " requests to " + modules_text(m) +
                      " were granted in a cycle, " + std::to_string(most) + " may be");
    total += admitted_[m];
    admitted_[m] = 0;
  }
  touched_.clear();
  if (limits_.total && total > limits_.total)
    fail("FL7", std::to_string(total) + " requests were granted in a cycle, " +
                    std::to_string(limits_.total) + " may be");
}

guard_checker::guard_checker(const sc_core::sc_module_name& name, const feedback_interface_config& config,
                             std::string watched, violation_handler handler)
    : feedback_checker(name, std::move(watched), std::move(handler)),
      packet_watch(""),
      lines(config.bus ? 0 : feedback_lines::words(config.terminals), "lines"),
      bus(config.bus ? 1 : 0, "bus"),
      grant(config.bleed == bleeding::granted ? 1 : 0, "grant"),
      hot_(config.terminals, config.hot_list) {}

void guard_checker::reset() {
  hot_.clear();
  waited_ = false;
  grants_ = 0;
}

void guard_checker::tick() {
  const bool shown = valid.read();
  const flit f = shown ? data.read() : flit{};
  if (shown && !waited_ && f.head() && hot_.holds(f.destination)) {
    if (grants_ == 0) {
      std::ostringstream text;
      text << f << " is shown, and its module is hot";
      fail("FL8", text.str());
    } else {
      --grants_;
    }
  }
  const bool taken = shown && accepts(ready.read(), f);
  waited_ = shown && !taken;
  hot_.listen(lines);
  if (bus.size()) {
    const announcement& said = bus[0].said.read();
    if (said.valid) hot_.set(said.module, said.hot);
  }
  if (grant.size()) grants_ += grant[0].read();
  if (taken || (grant.size() && grant[0].read())) wake_at(cycle() + 1);
}

}  // namespace spillway
