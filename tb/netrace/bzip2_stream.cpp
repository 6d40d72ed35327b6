#include <bzlib.h>

#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/netrace/byte_stream.hpp>
#include <string>
#include <vector>

namespace spillway {

namespace {

/// A file may be several streams, one behind the other.
class bzip2_bytes final : public byte_stream {
public:
  bzip2_bytes(std::filesystem::path path, detail::open_file file)
      : path_(std::move(path)), file_(std::move(file)), in_(1 << 16) {
    begin();
  }
  ~bzip2_bytes() override { BZ2_bzDecompressEnd(&state_); }

  std::size_t read(char* to, std::size_t count) override {
    state_.next_out = to;
    state_.avail_out = static_cast<unsigned>(count);
    while (state_.avail_out && refill()) {
      const int result = BZ2_bzDecompress(&state_);
      if (result != BZ_OK && result != BZ_STREAM_END) fail("is no proper bzip2 file");
      within_ = result == BZ_OK;
      if (!within_) next_stream();
    }
    return count - state_.avail_out;
  }

private:
  [[noreturn]] void fail(const std::string& what) const { throw config_error(path_.string() + ": " + what); }
  void begin() {
    if (BZ2_bzDecompressInit(&state_, 0, 0) != BZ_OK) fail("cannot be decompressed: no memory");
  }
  void next_stream() {
    const bz_stream old = state_;
    BZ2_bzDecompressEnd(&state_);
    state_ = {};
    begin();
    state_.next_in = old.next_in, state_.avail_in = old.avail_in;
    state_.next_out = old.next_out, state_.avail_out = old.avail_out;
  }
  /// Whether there is something to decompress, or to be had of what is in hand.
  bool refill() {
    if (state_.avail_in) return true;
    state_.next_in = in_.data();
    state_.avail_in = static_cast<unsigned>(std::fread(in_.data(), 1, in_.size(), file_.get()));
    if (state_.avail_in) return true;
    if (!within_) return false;
    const unsigned before = state_.avail_out;
    const int result = BZ2_bzDecompress(&state_);
    within_ = result == BZ_OK;
    if (within_ && state_.avail_out == before) fail("ends within a bzip2 stream");
    if (result != BZ_OK && result != BZ_STREAM_END) fail("is no proper bzip2 file");
    return within_;
  }

  const std::filesystem::path path_;
  const detail::open_file file_;
  std::vector<char> in_;
  bz_stream state_ = {};
  bool within_ = false;  // a stream whose end has not come
};

}  // namespace

std::unique_ptr<byte_stream> detail::open_bzip2(const std::filesystem::path& path, open_file file) {
  return std::make_unique<bzip2_bytes>(path, std::move(file));
}

}  // namespace spillway
