#include <algorithm>
#include <numeric>
#include <spillway/tb/dampening/sequential_butterfly.hpp>
#include <spillway/tb/theory/sample.hpp>
#include <vector>

namespace spillway::theory {
namespace {

constexpr std::uint32_t first_cycle = 200, cycles = 450;
constexpr std::uint32_t nobody = ~std::uint32_t{0};

using sets = std::vector<std::vector<std::uint32_t>>;

/// The buffers of an input port, as their sender knows them.
struct pool {
  std::vector<std::uint32_t> owner;         // by buffer: the destination of its message
  std::vector<std::uint32_t> not_reported;  // buffers whose message has left
};
struct stored {
  std::uint32_t line, buffer;
};
struct turn {
  std::uint32_t destination;
  std::vector<stored> messages;
};
/// What waits for an output, the destination whose turn it is first.
using turns = std::vector<turn>;

class butterfly {
public:
  butterfly(const butterfly_parameters& p, const sets* assigned, random_engine& random)
      : p_(p),
        lines_(1U << p.stages),
        assigned_(assigned),
        random_(random),
        pools_(p.stages * lines_, pool{std::vector<std::uint32_t>(p.B, nobody), {}}),
        outputs_(p.stages * lines_),
        heads_(lines_, nobody) {}

  /// Messages a cycle that arrive from `first_cycle` on.
  double run() {
    std::uint64_t delivered = 0;
    for (std::uint32_t cycle = 0; cycle < cycles; ++cycle) {
      came_.clear();
      for (std::uint32_t s = p_.stages; s-- > 0;)
        for (std::uint32_t o = 0; o < lines_; ++o) delivered += send(s, o) && cycle >= first_cycle;
      for (std::uint32_t source = 0; source < lines_; ++source) offer(source);
      for (const arrival& a : came_) join(a);  // what comes in a cycle goes on in the next
      if (p_.reports != report_delay::at_once)
        for (pool& at : pools_) report(at);
    }
    return static_cast<double>(delivered) / (cycles - first_cycle);
  }

private:
  struct arrival {
    std::uint32_t stage, line, buffer, destination;
  };

  pool& at(std::uint32_t stage, std::uint32_t line) { return pools_[stage * lines_ + line]; }
  std::uint32_t shuffled(std::uint32_t line) const {
    return (line << 1 | line >> (p_.stages - 1)) & (lines_ - 1);
  }

  /// The buffer that a message would get, or nobody.
  std::uint32_t buffer_for(const pool& to, std::uint32_t destination) const {
    if (assigned_) {
      for (const std::uint32_t b : (*assigned_)[destination])
        if (to.owner[b] == nobody) return b;
      return nobody;
    }
    if (std::find(to.owner.begin(), to.owner.end(), destination) != to.owner.end()) return nobody;
    const auto free = std::find(to.owner.begin(), to.owner.end(), nobody);
    return free == to.owner.end() ? nobody : static_cast<std::uint32_t>(free - to.owner.begin());
  }
  bool store(std::uint32_t stage, std::uint32_t line, std::uint32_t destination) {
    pool& to = at(stage, line);
    const std::uint32_t b = buffer_for(to, destination);
    if (b == nobody) return false;
    to.owner[b] = destination;
    came_.push_back({stage, line, b, destination});
    return true;
  }
  void join(const arrival& a) {
    const std::uint32_t bit = a.destination >> (p_.stages - 1 - a.stage) & 1;
    turns& to = outputs_[a.stage * lines_ + ((a.line & ~1U) | bit)];
    auto mine =
        std::find_if(to.begin(), to.end(), [&](const turn& t) { return t.destination == a.destination; });
    if (mine == to.end()) mine = to.insert(to.end(), turn{a.destination, {}});
    mine->messages.push_back({a.line, a.buffer});
  }
  /// True when a message has arrived.
  bool send(std::uint32_t stage, std::uint32_t o) {
    turns& waiting = outputs_[stage * lines_ + o];
    const bool last = stage + 1 == p_.stages;
    for (auto t = waiting.begin(); t != waiting.end(); ++t) {
      if (!last && !store(stage + 1, shuffled(o), t->destination)) continue;
      const stored m = t->messages.front();
      turn sent = std::move(*t);
      waiting.erase(t);
      sent.messages.erase(sent.messages.begin());
      if (!sent.messages.empty()) waiting.push_back(std::move(sent));
      leave(at(stage, m.line), m.buffer);
      return last;
    }
    return false;
  }
  void leave(pool& from, std::uint32_t buffer) {
    if (p_.reports == report_delay::at_once)
      from.owner[buffer] = nobody;
    else
      from.not_reported.push_back(buffer);
  }
  void report(pool& from) {
    auto& leaving = from.not_reported;
    const auto reported = leaving.begin() + (p_.reports == report_delay::one_a_cycle && !leaving.empty()
                                                 ? 1
                                                 : static_cast<std::ptrdiff_t>(leaving.size()));
    std::for_each(leaving.begin(), reported, [&](std::uint32_t b) { from.owner[b] = nobody; });
    leaving.erase(leaving.begin(), reported);
  }
  void offer(std::uint32_t source) {
    std::uint32_t& head = heads_[source];
    if (head == nobody) head = below(random_, lines_);
    if (store(0, shuffled(source), head)) head = nobody;
  }

  const butterfly_parameters p_;
  const std::uint32_t lines_;
  const sets* const assigned_;  // nullptr: counting
  random_engine& random_;
  std::vector<pool> pools_;           // by stage and line
  std::vector<turns> outputs_;        // the same
  std::vector<std::uint32_t> heads_;  // of the sources' queues
  std::vector<arrival> came_;         // in this cycle
};

sets draw_sets(const butterfly_parameters& p, random_engine& random) {
  sets all(std::size_t{1} << p.stages);
  for (auto& set : all) {
    set.resize(p.B);
    std::iota(set.begin(), set.end(), 0U);
    for (std::uint32_t i = 0; i < p.j; ++i) std::swap(set[i], set[i + below(random, p.B - i)]);
    set.resize(p.j);
  }
  return all;
}

}  // namespace

butterfly_rates simulate_butterfly(const butterfly_parameters& p, std::uint32_t trials, std::uint32_t seed) {
  random_engine random(seed);
  sample hashing, counting, ratio;
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    const sets assigned = draw_sets(p, random);
    const double hashed = butterfly(p, &assigned, random).run();
    const double counted = butterfly(p, nullptr, random).run();
    hashing.add(hashed);
    counting.add(counted);
    ratio.add(hashed / counted);
  }
  return {hashing.mean(), counting.mean(), ratio.mean(), ratio.error()};
}

}  // namespace spillway::theory
