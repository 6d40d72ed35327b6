#pragma once
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

/// What a target does with one input: every error that its reader throws by contract is caught there;
/// anything else, be it another exception or what sanitizers find, ends the program. Called by libFuzzer, or
/// by replay.cpp.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A folder of this process, for readers of files; removed at its end.
class fuzz_folder {
public:
  fuzz_folder()
      : path_(std::filesystem::temp_directory_path() / ("spillway-fuzz-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~fuzz_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  fuzz_folder(const fuzz_folder&) = delete;
  fuzz_folder& operator=(const fuzz_folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    const std::filesystem::path file = path_ / name;
    std::FILE* const out = std::fopen(file.c_str(), "wb");
    if (!out || std::fwrite(text.data(), 1, text.size(), out) != text.size() || std::fclose(out) != 0)
      std::abort();
    return file;
  }

private:
  std::filesystem::path path_;
};
