#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace spillway {

/// Where a number of threads wait for each other, any number of times. They spin briefly, then give way.
class spin_barrier {
public:
  explicit spin_barrier(unsigned threads) : threads_(threads) {}  ///< `threads`: 1 or more
  void wait();                                                    ///< returns when all threads have called it

private:
  const unsigned threads_;
  alignas(128) std::atomic<unsigned> arrived_{0};
  alignas(128) std::atomic<std::uint64_t> round_{0};
};

/// Threads that do the same job side by side, time after time. Between two jobs they spin briefly, give way,
/// and sleep at last.
class thread_team {
public:
  /// `job`: called with 0 by who calls run(), and with 1 up to `threads` - 1 by threads of the team's own. It
  /// may not throw.
  thread_team(unsigned threads, std::function<void(unsigned)> job);
  ~thread_team();
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;

  /// Has the job done once, and waits until all have.
  void run();
  /// For within the job: waits for all others to come to the same point.
  void meet() { inside_.wait(); }

private:
  void serve(unsigned number);
  bool await(std::uint64_t seen);

  const std::function<void(unsigned)> job_;
  spin_barrier inside_, done_;
  alignas(128) std::atomic<std::uint64_t> jobs_{0};  // given out so far
  std::atomic<bool> over_{false};
  std::mutex sleep_;
  std::condition_variable wake_;
  unsigned sleepers_ = 0;  // guarded by sleep_
  std::vector<std::thread> threads_;
};

}  // namespace spillway
