#include <csignal>
#include <spillway/tb/command/interrupt.hpp>

namespace spillway {

namespace {

std::atomic<bool> interrupted{false};  // set by the signal handler, which can reach nothing else

constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

}  // namespace

interrupt_guard::interrupt_guard() {
  interrupted = false;
  // Who ignores one goes on to: `nohup` is to outlive the terminal, and the shell's `&` its Ctrl-C.
  for (const int one : signals)
    if (std::signal(one, [](int) { interrupted = true; }) == SIG_IGN) std::signal(one, SIG_IGN);
}

interrupt_guard::~interrupt_guard() {
  for (const int one : signals)
    if (std::signal(one, SIG_DFL) == SIG_IGN) std::signal(one, SIG_IGN);
}

const std::atomic<bool>& interrupt_guard::flag() { return interrupted; }

}  // namespace spillway
