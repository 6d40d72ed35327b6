// A cache that threads share, with and without the eviction limits of dampening switches (Kuszmaul and
// Kuszmaul, section X): one thread streams through memory, the others go round in working sets that fit.
// Prints the hit rates with two threads and with eight, and fails if a limit makes the others' worse.
#include <iostream>
#include <iterator>
#include <memory>
#include <spillway/hw/dampening/shared_cache.hpp>
#include <spillway/hw/kernel/draw.hpp>
#include <systemc>
#include <vector>

namespace {

using namespace spillway;

constexpr unsigned lines = 256;
constexpr std::uint64_t cycles = 120000, warm_up = 40000;

struct policy {
  const char* name;
  eviction_limit limit;
  eviction_choice choice;
};
constexpr policy policies[] = {
    {"lru", eviction_limit::none, eviction_choice::oldest},
    {"counting", eviction_limit::counting, eviction_choice::oldest},
    {"counting, from the hottest", eviction_limit::counting, eviction_choice::hottest},
    {"assigned", eviction_limit::assigned, eviction_choice::oldest}};

/// Asks for one address after the other. Thread 0 streams as fast as the cache answers; the others pause, and
/// draw from a working set.
class thread : public clocked {
public:
  packet_out request{"request"};
  packet_in reply{"reply"};
  std::uint64_t hits = 0, answers = 0;  // after the warm-up

  thread(const sc_core::sc_module_name& name, unsigned number, unsigned working_set)
      : clocked(name), number_(number), working_set_(working_set) {}

private:
  void reset() override {
    request.valid.write(false);
    reply.ready.write(0);
  }
  void tick() override {
    wake_at(cycle() + 1);
    if (asking_ && request.ready.read()) asking_ = false, waiting_ = true;
    if (waiting_ && reply.valid.read()) {
      waiting_ = false;
      idle_until_ = cycle() + (number_ ? 64 : 0);
      if (cycle() >= warm_up) ++answers, hits += reply.data.read().flags;
    }
    if (!asking_ && !waiting_ && cycle() >= idle_until_) {
      asking_ = true;
      next_.source = number_;
      next_.packet = ++asked_;
      next_.payload =
          number_ ? 1000000 * number_ + part_of(draw(1, number_, asked_), 32, working_set_) : asked_;
      request.data.write(next_);
    }
    request.valid.write(asking_);
    reply.ready.write(1);
  }

  const unsigned number_, working_set_;
  flit next_;
  std::uint32_t asked_ = 0;
  std::uint64_t idle_until_ = 0;
  bool asking_ = false, waiting_ = false;
};

/// A cache and its threads on the fast kernel.
class system_of_threads {
public:
  system_of_threads(const std::string& name, unsigned threads, const policy& p)
      : clock_((name + "_clock").c_str(), sc_core::sc_time(1, sc_core::SC_NS)),
        rst_(clock_),
        cache_((name + "_cache").c_str(), cache_config{lines, threads, p.limit, lines / 2, 1, p.choice}, 4) {
    start(cache_);
    for (unsigned t = 0; t < threads; ++t) {
      threads_.push_back(std::make_unique<thread>((name + "_thread" + std::to_string(t)).c_str(), t,
                                                  lines * 4 / 10 / (threads - 1)));
      requests_.push_back(std::make_unique<packet_wires>(clock_));
      replies_.push_back(std::make_unique<packet_wires>(clock_));
      threads_[t]->request.bind(*requests_[t]), cache_.request[t].bind(*requests_[t]);
      threads_[t]->reply.bind(*replies_[t]), cache_.reply[t].bind(*replies_[t]);
      start(*threads_[t]);
    }
  }
  double hit_rate_of_others() const {
    std::uint64_t hits = 0, answers = 0;
    for (std::size_t t = 1; t < threads_.size(); ++t)
      hits += threads_[t]->hits, answers += threads_[t]->answers;
    return static_cast<double>(hits) / static_cast<double>(answers);
  }
  unsigned streams_lines() const { return cache_.lines().held(0); }

private:
  void start(clocked& block) {
    block.clk(clock_);
    block.rst(rst_);
  }

  clock_domain clock_;
  wire<bool> rst_;
  shared_cache cache_;
  std::vector<std::unique_ptr<thread>> threads_;
  std::vector<std::unique_ptr<packet_wires>> requests_, replies_;
};

}  // namespace

int sc_main(int, char**) {
  std::vector<std::unique_ptr<system_of_threads>> systems;
  for (const unsigned threads : {2u, 8u})
    for (const policy& p : policies)
      systems.push_back(
          std::make_unique<system_of_threads>("system" + std::to_string(systems.size()), threads, p));
  sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS));

  bool better = true;
  constexpr std::size_t kinds = std::size(policies);
  for (std::size_t i = 0; i < systems.size(); ++i) {
    const system_of_threads& s = *systems[i];
    std::cout << (i < kinds ? 2 : 8) << " threads, " << policies[i % kinds].name << ": the others hit "
              << 100 * s.hit_rate_of_others() << " %, the stream holds " << s.streams_lines() << " of "
              << lines << " lines\n";
    better &= s.hit_rate_of_others() >= systems[i - i % kinds]->hit_rate_of_others();
  }
  return better ? 0 : 1;
}
