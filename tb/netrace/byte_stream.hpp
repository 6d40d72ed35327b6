#pragma once
#include <cstdio>
#include <filesystem>
#include <memory>

namespace spillway {

/// The bytes of a file, one after another.
class byte_stream {
public:
  virtual ~byte_stream() = default;
  /// Up to `count` bytes; fewer only at the end.
  virtual std::size_t read(char* to, std::size_t count) = 0;
};

/// Opens a file that is compressed by bzip2, as its first bytes say, or not at all. Throws config_error if it
/// cannot be read; so do reads.
std::unique_ptr<byte_stream> open_bytes(const std::filesystem::path& path);

namespace detail {

struct close_file {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using open_file = std::unique_ptr<std::FILE, close_file>;

/// What a file that is compressed by bzip2 holds. Throws config_error where no such files are read.
std::unique_ptr<byte_stream> open_bzip2(const std::filesystem::path& path, open_file file);

}  // namespace detail

}  // namespace spillway
