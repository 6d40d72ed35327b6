#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/netrace/byte_stream.hpp>

namespace spillway {

std::unique_ptr<byte_stream> detail::open_bzip2(const std::filesystem::path& path, open_file) {
  throw config_error(
      path.string() +
      ": this build reads nothing compressed by bzip2, since libbz2 was missing: decompress it "
      "with `bzip2 -dk`");
}

}  // namespace spillway
