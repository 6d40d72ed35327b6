#pragma once
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

/// Runs a command as a user would, and keeps what it prints.
struct process_result {
  int status = -1;
  std::string output;  // standard output and standard error, together
};

inline process_result run_process(const std::string& command) {
  process_result result;
  std::FILE* pipe = popen(("exec 2>&1; " + command).c_str(), "r");
  if (!pipe) return result;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    result.output.append(buffer.data(), got);
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Whether the command refuses the file in a build that leaves mechanisms out (SPILLWAY_MECHANISMS): it
/// chooses one.
inline bool needs_what_is_left_out(const std::string& command, const std::string& file) {
  return std::getenv("SPILLWAY_LEFT_OUT") && run_process(command + " check '" + file + "'").status == 2;
}

/// A folder of the test's own, removed at its end.
class scratch_folder {
public:
  scratch_folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "spillway-XXXXXX").string();
    if (const char* made = mkdtemp(pattern.data())) path_ = made;
  }
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// Files there that have not got their names yet.
inline unsigned partial_files(const scratch_folder& folder) {
  unsigned files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / ""))
    files += entry.path().filename().string().find(".partial") != std::string::npos;
  return files;
}

/// A file of the test's own, removed with its folder at the end.
class scratch_file {
public:
  explicit scratch_file(const std::string& text) { std::ofstream(path_) << text; }
  operator const std::filesystem::path&() const { return path_; }
  std::string string() const { return path_.string(); }

private:
  scratch_folder folder_;
  const std::filesystem::path path_ = folder_ / "file.yaml";
};
