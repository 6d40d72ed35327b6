#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/text.hpp>
#include <system_error>

namespace spillway {

namespace {

struct close_file {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
// Unnamed files instead of pipes: nobody waits for anybody, and no signal comes from a closed pipe.
using scratch_file = std::unique_ptr<std::FILE, close_file>;

[[noreturn]] void fail(int error) {
  throw gnuplot_error("cannot run gnuplot: " + std::generic_category().message(error));
}

scratch_file make_scratch(std::string_view text = {}) {
  scratch_file file(std::tmpfile());
  if (!file) fail(errno);
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) fail(errno);
  if (std::fflush(file.get()) != 0) fail(errno);
  std::rewind(file.get());
  return file;
}

std::string read_all(std::FILE* file) {
  std::string result;
  char block[1 << 14];
  std::rewind(file);
  for (std::size_t n; (n = std::fread(block, 1, sizeof block, file)) != 0;) result.append(block, n);
  return result;
}

// The files' descriptors become those of the child's standard streams.
class spawn_actions {
public:
  spawn_actions() {
    if (const int error = ::posix_spawn_file_actions_init(&actions_)) fail(error);
  }
  ~spawn_actions() { ::posix_spawn_file_actions_destroy(&actions_); }
  spawn_actions(const spawn_actions&) = delete;
  spawn_actions& operator=(const spawn_actions&) = delete;
  void connect(std::FILE* file, int stream) {
    if (const int error = ::posix_spawn_file_actions_adddup2(&actions_, ::fileno(file), stream)) fail(error);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
  posix_spawn_file_actions_t actions_;
};

int run(std::string program, const spawn_actions& actions) {
  std::string without_startup_file = "-d";
  char* arguments[] = {program.data(), without_startup_file.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.c_str(), actions.get(), nullptr, arguments, environ);
  if (error == ENOENT) throw gnuplot_missing(program + " is not installed");
  if (error != 0) fail(error);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail(errno);
  return status;
}

}  // namespace

std::string run_gnuplot(std::string_view script) {
  const char* named = std::getenv("SPILLWAY_GNUPLOT");
  const std::string program = named != nullptr && *named != '\0' ? named : "gnuplot";
  const scratch_file input = make_scratch(script), output = make_scratch(), errors = make_scratch();
  spawn_actions actions;
  actions.connect(input.get(), STDIN_FILENO);
  actions.connect(output.get(), STDOUT_FILENO);
  actions.connect(errors.get(), STDERR_FILENO);
  const int status = run(program, actions);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) throw gnuplot_missing(program + " is not installed");
    throw gnuplot_error("gnuplot failed: " + one_line(read_all(errors.get())));
  }
  return read_all(output.get());
}

std::string gnuplot_quote(std::string_view text) {
  std::string result = "'";  // between single quotes only the quote itself means anything
  for (const char c : one_line(text)) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

std::string gnuplot_quote_tic(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled += c == '%' ? "%%" : std::string(1, c);
  return gnuplot_quote(doubled);
}

}  // namespace spillway
