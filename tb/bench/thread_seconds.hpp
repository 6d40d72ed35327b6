#pragma once
#include <ctime>

namespace spillway {

/// Seconds of the processor that this thread has used, so that other programs on the machine do not count.
/// Those of a process would be whole ticks of the system where its processor time has a limit.
inline double thread_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

}  // namespace spillway
