#include <cstring>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/netrace/byte_stream.hpp>

namespace spillway {

namespace {

class plain_bytes final : public byte_stream {
public:
  explicit plain_bytes(detail::open_file file) : file_(std::move(file)) {}
  std::size_t read(char* to, std::size_t count) override { return std::fread(to, 1, count, file_.get()); }

private:
  const detail::open_file file_;
};

}  // namespace

std::unique_ptr<byte_stream> open_bytes(const std::filesystem::path& path) {
  detail::open_file file(std::filesystem::is_directory(path) ? nullptr : std::fopen(path.c_str(), "rb"));
  if (!file) throw config_error(path.string() + ": cannot be read");
  char begin[3] = {};
  const bool compressed =
      std::fread(begin, 1, sizeof begin, file.get()) == sizeof begin && std::memcmp(begin, "BZh", 3) == 0;
  std::rewind(file.get());
  if (compressed) return detail::open_bzip2(path, std::move(file));
  return std::make_unique<plain_bytes>(std::move(file));
}

}  // namespace spillway
