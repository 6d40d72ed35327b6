#include <spillway/hw/kernel/thread_team.hpp>
#include <utility>

namespace spillway {

namespace {

// An edge of a network that is worth several threads takes longer than so many looks; where there are fewer
// cores than threads, who is waited for gets the core soon.
constexpr unsigned spins = 2000, yields = 200;

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/// Whether `done` came true while it was looked at.
template <class Done>
bool spin_for(const Done& done) {
  for (unsigned n = 0; n < spins; ++n) {
    if (done()) return true;
    pause_briefly();
  }
  for (unsigned n = 0; n < yields; ++n) {
    if (done()) return true;
    std::this_thread::yield();
  }
  return done();
}

}  // namespace

void spin_barrier::wait() {
  const std::uint64_t round = round_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
    arrived_.store(0, std::memory_order_relaxed);
    round_.store(round + 1, std::memory_order_release);
    return;
  }
  const auto over = [this, round] { return round_.load(std::memory_order_acquire) != round; };
  while (!spin_for(over)) {
  }
}

thread_team::thread_team(unsigned threads, std::function<void(unsigned)> job)
    : job_(std::move(job)), inside_(threads), done_(threads) {
  for (unsigned n = 1; n < threads; ++n) threads_.emplace_back([this, n] { serve(n); });
}

thread_team::~thread_team() {
  over_ = true;
  {
    const std::lock_guard<std::mutex> lock(sleep_);
    ++jobs_;
  }
  wake_.notify_all();
  for (std::thread& t : threads_) t.join();
}

void thread_team::run() {
  jobs_.fetch_add(1, std::memory_order_seq_cst);
  {
    const std::lock_guard<std::mutex> lock(sleep_);
    if (sleepers_) wake_.notify_all();
  }
  job_(0);
  done_.wait();
}

/// Waits for a job after the `seen` ones; false: the team is no more.
bool thread_team::await(std::uint64_t seen) {
  const auto given = [this, seen] { return jobs_.load(std::memory_order_acquire) != seen; };
  if (!spin_for(given)) {
    std::unique_lock<std::mutex> lock(sleep_);
    ++sleepers_;
    wake_.wait(lock, given);
    --sleepers_;
  }
  return !over_;
}

void thread_team::serve(unsigned number) {
  for (std::uint64_t seen = 0; await(seen); ++seen) {
    job_(number);
    done_.wait();
  }
}

}  // namespace spillway
