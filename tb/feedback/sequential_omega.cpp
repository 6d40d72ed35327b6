#include <cmath>
#include <spillway/tb/feedback/sequential_omega.hpp>
#include <spillway/tb/theory/sample.hpp>
#include <vector>

namespace spillway::theory {
namespace {

constexpr std::uint32_t warmup = 500, measured = 2000;
constexpr std::uint32_t nothing = ~std::uint32_t{0};

/// Requests by their modules.
class queue {
public:
  std::uint32_t length() const { return static_cast<std::uint32_t>(modules_.size()) - first_; }
  std::uint32_t head() const { return modules_[first_]; }
  /// Requests that have left in this cycle.
  std::uint32_t left() const { return left_; }
  void begin_cycle() { left_ = 0; }
  void push(std::uint32_t module) { modules_.push_back(module); }
  void pop() {
    ++left_;
    if (++first_ < 64) return;
    modules_.erase(modules_.begin(), modules_.begin() + first_);
    first_ = 0;
  }

private:
  std::vector<std::uint32_t> modules_;
  std::uint32_t first_ = 0, left_ = 0;
};

class omega {
public:
  omega(const omega_parameters& p, random_engine& random)
      : p_(p),
        lines_(1U << p.stages),
        hot_processors_(static_cast<std::uint32_t>(std::lround(p.Ph * lines_))),
        random_(random),
        queues_(p.stages * lines_),
        pending_(lines_, nothing),
        known_(p.delay + 1, std::vector<bool>(lines_)) {}

  /// Requests a cycle and processor.
  double run() {
    std::uint64_t served = 0;
    for (cycle_ = 0; cycle_ < warmup + measured; ++cycle_) {
      for (queue& q : queues_) q.begin_cycle();
      const std::uint32_t now = serve();
      if (cycle_ >= warmup) served += now;
      for (std::uint32_t stage = p_.stages - 1; stage > 0; --stage)
        in_pairs([&](std::uint32_t line) {
          queue& from = at(stage - 1, line);
          if (from.length() && accept(stage, line, from.head())) from.pop();
        });
      issue();
      for (std::uint32_t m = 0; m < lines_; ++m)
        hot()[m] = p_.threshold != 0 && at(p_.stages - 1, m).length() >= p_.threshold;
    }
    return static_cast<double>(served) / measured / lines_;
  }

private:
  queue& at(std::uint32_t stage, std::uint32_t line) { return queues_[stage * lines_ + line]; }

  /// All lines before a stage, the two of a switch one after the other, either first.
  template <class Each>
  void in_pairs(Each&& each) {
    for (std::uint32_t line = 0; line < lines_ / 2; ++line) {
      const std::uint32_t other = line + lines_ / 2;
      const bool swapped = below(random_, 2) != 0;
      each(swapped ? other : line);
      each(swapped ? line : other);
    }
  }
  /// Takes a request from a line before a stage, if the queue that it goes to has a place.
  bool accept(std::uint32_t stage, std::uint32_t line, std::uint32_t module) {
    queue& to = at(stage, (line << 1 & (lines_ - 1)) + (module >> (p_.stages - 1 - stage) & 1));
    const std::uint32_t places = stage + 1 == p_.stages ? p_.memory_depth : p_.depth;
    if (to.length() + (p_.registered ? to.left() : 0) >= places) return false;
    to.push(module);
    return true;
  }
  std::uint32_t serve() {
    std::uint32_t served = 0;
    for (std::uint32_t m = 0; m < lines_; ++m) {
      queue& memory = at(p_.stages - 1, m);
      if (!memory.length()) continue;
      memory.pop();
      ++served;
    }
    return served;
  }
  std::uint32_t new_request(std::uint32_t processor) {
    const bool to_hot = processor < hot_processors_ && below(random_, 1U << 30) < p_.h * (1U << 30);
    return to_hot ? 0 : below(random_, lines_);
  }
  /// What processors know in a cycle, and until its end, when what they will know is put there.
  std::vector<bool>& hot() { return known_[cycle_ % known_.size()]; }
  bool blocked(std::uint32_t processor) { return hot()[pending_[processor]]; }
  /// The processor whose turn it is to bleed, or nobody.
  std::uint32_t granted() {
    for (std::uint32_t i = 0; i < lines_; ++i) {
      const std::uint32_t processor = (turn_ + i) & (lines_ - 1);
      if (!blocked(processor)) continue;
      turn_ = processor + 1;
      return processor;
    }
    return nothing;
  }
  bool bleeds(std::uint32_t processor, std::uint32_t grant) {
    switch (p_.bleeding) {
      case program_bleeding::round_robin:
        return processor == grant;
      case program_bleeding::slots:
        return processor == (cycle_ & (lines_ - 1));
      case program_bleeding::random:
        return below(random_, lines_) == 0;
      default:
        return false;
    }
  }
  void issue() {
    for (std::uint32_t p = 0; p < lines_; ++p)
      if (pending_[p] == nothing) pending_[p] = new_request(p);
    const std::uint32_t grant = p_.bleeding == program_bleeding::round_robin ? granted() : nothing;
    in_pairs([&](std::uint32_t p) {
      if (blocked(p) && !bleeds(p, grant)) return;
      if (accept(0, p, pending_[p])) pending_[p] = nothing;
    });
  }

  const omega_parameters p_;
  const std::uint32_t lines_, hot_processors_;
  random_engine& random_;
  std::vector<queue> queues_;             // by stage and line
  std::vector<std::uint32_t> pending_;    // by processor: the module of its request
  std::vector<std::vector<bool>> known_;  // by cycle and module: it is hot
  std::uint32_t cycle_ = 0, turn_ = 0;
};

}  // namespace

omega_bandwidth simulate_omega(const omega_parameters& p, std::uint32_t trials, std::uint32_t seed) {
  random_engine random(seed);
  sample bandwidth;
  for (std::uint32_t trial = 0; trial < trials; ++trial) bandwidth.add(omega(p, random).run());
  return {bandwidth.mean(), bandwidth.error()};
}

}  // namespace spillway::theory
