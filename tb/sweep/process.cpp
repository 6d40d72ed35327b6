#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/sweep/process.hpp>
#include <system_error>
#include <thread>
#include <utility>

namespace spillway {

namespace {

[[noreturn]] void become(const std::vector<std::string>& arguments, const char* log, int lock) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // a killed sweep leaves no strays behind
  const int out = ::open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
  const int in = ::open("/dev/null", O_RDONLY);
  if (out >= 0 && in >= 0) {
    if (lock >= 0) ::fcntl(lock, F_SETFD, 0);
    ::dup2(in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    std::string name = "spillway";
    std::vector<char*> argv{name.data()};
    argv.reserve(arguments.size() + 2);
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    // By this name it is the program that runs now, even if its file has been replaced.
    ::execv("/proc/self/exe", argv.data());
  }
  ::_exit(127);
}

}  // namespace

run_lock::run_lock(const std::filesystem::path& folder)
    : file_(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {}

run_lock::run_lock(run_lock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

run_lock::~run_lock() {
  if (file_ >= 0) ::close(file_);
}

bool run_lock::try_lock() const {
  return file_ < 0 || ::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

child_process::child_process(const std::vector<std::string>& arguments, const std::filesystem::path& log,
                             const run_lock* lock)
    : process_(::fork()) {
  if (process_ < 0)
    throw io_error(fmt::format("cannot start a process: {}", std::generic_category().message(errno)));
  if (process_ == 0) become(arguments, log.c_str(), lock ? lock->file() : -1);
}

child_process::child_process(child_process&& other) noexcept : process_(std::exchange(other.process_, -1)) {}

child_process::~child_process() {
  if (process_ < 0) return;
  terminate();
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
}

std::optional<int> child_process::poll() {
  int status = 0;
  if (::waitpid(process_, &status, WNOHANG) == 0) return std::nullopt;
  process_ = -1;
  return status;
}

std::optional<int> child_process::wait(const std::atomic<bool>* stop) {
  while (!stop || !*stop) {
    if (const auto status = poll()) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
  }
  return std::nullopt;
}

void child_process::terminate() const {
  if (process_ > 0) ::kill(process_, SIGTERM);
}

bool was_told_to_stop(int status) {
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGTERM || WTERMSIG(status) == SIGINT;
  return WIFEXITED(status) && WEXITSTATUS(status) == 130;
}

std::string how_it_ended(int status) {
  return WIFSIGNALED(status) ? fmt::format("killed by signal {}", WTERMSIG(status))
                             : fmt::format("exit status {}", WEXITSTATUS(status));
}

std::string shell_quote(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + '\'';
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    const bool plain = std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::isalnum(c) || std::strchr("_./:=,%+-", c) != nullptr;
    });
    line += (line.empty() ? "" : " ") + (plain && !word.empty() ? word : shell_quote(word));
  }
  return line;
}

}  // namespace spillway
