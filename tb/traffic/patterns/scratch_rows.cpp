#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/traffic/patterns/scratch_rows.hpp>
#include <string>
#include <system_error>

namespace spillway {

namespace {

[[noreturn]] void fail(const char* what, int error) {
  throw io_error(
      fmt::format("a temporary file cannot be {}: {}", what, std::generic_category().message(error)));
}

int open_without_name() {
  std::error_code error;
  std::string name = std::filesystem::temp_directory_path(error) / "spillway-XXXXXX";
  if (error) fail("made in TMPDIR", error.value());
  const int file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file < 0) fail(("made in " + std::filesystem::path(name).parent_path().string()).c_str(), errno);
  ::unlink(name.c_str());
  return file;
}

}  // namespace

scratch_file::scratch_file() : file_(open_without_name()) {}

void scratch_file::write(std::uint64_t offset, const void* from, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t put = ::pwrite(file_, static_cast<const char*>(from) + done, bytes - done,
                                 static_cast<off_t>(offset + done));
    if (put < 0 && errno != EINTR) fail("written", errno);
    done += static_cast<std::size_t>(std::max<ssize_t>(put, 0));
  }
}

void scratch_file::read(std::uint64_t offset, void* to, std::size_t bytes) const {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t got =
        ::pread(file_, static_cast<char*>(to) + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno != EINTR) fail("read", errno);
    if (got == 0) throw io_error("a temporary file has become shorter");
    done += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  }
}

}  // namespace spillway
