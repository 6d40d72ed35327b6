#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <spillway/tb/report/atomic_file.hpp>
#include <system_error>

namespace spillway {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = 1 << 16;

std::string reason(int error) { return std::generic_category().message(error); }

// Free in the folder, and telling whose it is should a run be killed.
std::string temporary_name(const fs::path& target) {
  static std::atomic<unsigned> next{0};
  const auto name = fmt::format(".{}.{}-{}.tmp", target.filename().string(), ::getpid(), next++);
  return (target.parent_path() / name).string();
}

/// By which an open file without a name is given one.
std::string link_of(int file) { return fmt::format("/proc/self/fd/{}", file); }

}  // namespace

atomic_file::atomic_file(std::string path) : path_(std::move(path)), target_(path_) {
  buffer_.reserve(buffer_size);
  if (path_.find('\0') != std::string::npos) fail("cannot write", EINVAL);
  struct stat status = {};
  if (::stat(path_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) fail("cannot write", EISDIR);
    if (!S_ISREG(status.st_mode)) {
      file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
      if (file_ < 0) fail("cannot open", errno);
      return;
    }
    std::error_code error;
    const fs::path resolved = fs::canonical(path_, error);
    if (!error) target_ = resolved.string();
  }
  const std::string name = temporary_name(target_);
  // A file without a name goes with its process, however that ends; not every file system has them.
  const fs::path folder = fs::path(target_).parent_path();
  file_ = ::open(folder.empty() ? "." : folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  unnamed_ = file_ >= 0 && ::access(link_of(file_).c_str(), F_OK) == 0;
  if (file_ >= 0 && !unnamed_) ::close(file_);
  if (!unnamed_) file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file_ < 0) fail("cannot create", errno);
  temporary_ = name;
}

atomic_file::~atomic_file() {
  if (file_ >= 0) ::close(file_);
  if (!temporary_.empty() && !unnamed_) ::unlink(temporary_.c_str());
}

void atomic_file::fail(const char* doing, int error) {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
  if (!temporary_.empty() && !unnamed_) ::unlink(temporary_.c_str());
  temporary_.clear();
  throw io_error(fmt::format("{}: {} this file: {}", path_, doing, reason(error)));
}

void atomic_file::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t n = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("cannot write", errno);
    if (n == 0) fail("cannot write", ENOSPC);
    done += static_cast<std::size_t>(n);
  }
  buffer_.clear();
}

void atomic_file::write(std::string_view text) {
  if (file_ < 0 || closed_) throw io_error(path_ + ": cannot write this file: it is closed");
  buffer_.append(text);
  if (buffer_.size() >= buffer_size) flush();
}

void atomic_file::close() {
  if (file_ < 0 || closed_) return;
  flush();
  closed_ = true;
  if (unnamed_) return;  // its descriptor is all that it has until commit()
  const int file = file_;
  file_ = -1;  // closed in any case, also when close() reports an error
  if (::close(file) != 0) fail("cannot finish writing", errno);
}

/// Gives the file its temporary name.
void atomic_file::name_it() {
  if (::linkat(AT_FDCWD, link_of(file_).c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0)
    fail("cannot put into place", errno);
  unnamed_ = false;
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0) fail("cannot finish writing", errno);
}

void atomic_file::commit() {
  close();
  if (temporary_.empty()) return;
  if (unnamed_) name_it();
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot put into place", errno);
  temporary_.clear();
}

void write_file(const std::string& path, std::string_view text) {
  atomic_file file(path);
  file.write(text);
  file.commit();
}

bool make_folder(const std::string& path) {
  std::error_code error;
  const bool made = fs::create_directories(path, error);
  if (!error && !fs::is_directory(path, error) && !error)
    error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw io_error(fmt::format("{}: cannot create this folder: {}", path, error.message()));
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
    throw io_error(fmt::format("{}: cannot write into this folder: {}", path, reason(errno)));
  return made;
}

}  // namespace spillway
