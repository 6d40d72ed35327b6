#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <spillway/tb/command/quiet.hpp>

namespace spillway {

quiet_output::quiet_output(bool wanted) {
  if (!wanted) return;
  std::fflush(stdout);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  kept_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  ::dup2(nowhere, STDOUT_FILENO);
  ::close(nowhere);
}

quiet_output::~quiet_output() {
  if (kept_ < 0) return;
  std::fflush(stdout);
  ::dup2(kept_, STDOUT_FILENO);
  ::close(kept_);
}

}  // namespace spillway
