#include <csignal>
#include <spillway/tb/command/interrupt.hpp>

namespace spillway {

namespace {
std::atomic<bool> interrupted{false};  // set by the signal handler, which can reach nothing else
}

interrupt_guard::interrupt_guard() {
  interrupted = false;
  std::signal(SIGINT, [](int) { interrupted = true; });
  std::signal(SIGTERM, [](int) { interrupted = true; });
}

interrupt_guard::~interrupt_guard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& interrupt_guard::flag() { return interrupted; }

}  // namespace spillway
