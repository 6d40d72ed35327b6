#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/program.hpp>
#include <system_error>

namespace spillway {

namespace {

[[noreturn]] void fail(const std::string& program, int error) {
  throw io_error(fmt::format("cannot run {}: {}", program, std::generic_category().message(error)));
}

/// A file in memory. Not a pipe: nobody waits for anybody, and no signal comes from a closed one.
class scratch_file {
public:
  explicit scratch_file(const std::string& program, std::string_view text = {})
      : number_(::memfd_create("spillway", MFD_CLOEXEC)) {
    if (number_ < 0) fail(program, errno);
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = ::write(number_, text.data() + done, text.size() - done);
      if (n < 0 && errno != EINTR) fail(program, errno);
      done += static_cast<std::size_t>(n < 0 ? 0 : n);
    }
    ::lseek(number_, 0, SEEK_SET);
  }
  ~scratch_file() { ::close(number_); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;

  int number() const { return number_; }
  std::string text() const {
    std::string result;
    char block[1 << 14];
    ::lseek(number_, 0, SEEK_SET);
    for (ssize_t n; (n = ::read(number_, block, sizeof block)) > 0;)
      result.append(block, static_cast<std::size_t>(n));
    return result;
  }

private:
  const int number_;
};

/// The files become the child's standard streams.
class spawn_actions {
public:
  spawn_actions() { ::posix_spawn_file_actions_init(&actions_); }
  ~spawn_actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  spawn_actions(const spawn_actions&) = delete;
  spawn_actions& operator=(const spawn_actions&) = delete;
  void connect(const scratch_file& file, int stream) {
    ::posix_spawn_file_actions_adddup2(&actions_, file.number(), stream);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
  posix_spawn_file_actions_t actions_;
};

}  // namespace

program_result run_program(const std::vector<std::string>& words, std::string_view input) {
  const std::string& program = words.at(0);
  const scratch_file in(program, input), out(program), errors(program);
  spawn_actions actions;
  actions.connect(in, STDIN_FILENO);
  actions.connect(out, STDOUT_FILENO);
  actions.connect(errors, STDERR_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  program_result result;
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, program.c_str(), actions.get(), nullptr, arguments.data(), environ);
  if (error == ENOENT) {
    result.missing = true;
    return result;
  }
  if (error != 0) fail(program, error);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail(program, errno);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.output = out.text();
  result.errors = errors.text();
  return result;
}

}  // namespace spillway
