#include <fmt/format.h>

#include <map>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/netrace/netrace_file.hpp>
#include <unordered_map>

namespace spillway {

namespace {

constexpr std::uint32_t magic = 0x484a5455, version_1 = 0x3f800000;
constexpr std::size_t head_size = 72, region_size = 24, packet_size = 21;
constexpr std::uint32_t most_notes = 8191, most_regions = 100;

}  // namespace

unsigned netrace_packet::bytes() const {
  switch (type) {
    case 1:   // read
    case 5:   // write answered
    case 13:  // upgrade, and its answer
    case 14:
    case 15:  // read exclusive
    case 25:  // bad address
    case 27:  // invalidate, and its answer
    case 28:
    case 29:  // downgrade
      return 8;
    case 2:  // read answered, with and without invalidation
    case 3:
    case 4:   // write
    case 6:   // write back
    case 16:  // read exclusive answered
    case 30:  // downgrade answered
      return 72;
    default:
      return 0;
  }
}

netrace_file::netrace_file(std::filesystem::path path) : path_(std::move(path)), bytes_(open_bytes(path_)) {
  need(4, "head");
  if (const auto found = number(4); found != magic)
    fail(fmt::format("expected a trace of Netrace, which begins with {:#x}, found {:#x}", magic, found));
  need(head_size - 4, "head");
  if (number(4) != version_1) fail("expected version 1.0");
  skip(30);
  nodes_ = static_cast<unsigned>(number(1));
  if (nodes_ == 0) fail("expected 1 node or more, found 0");
  skip(1 + 8);
  packets_ = number(8);
  const auto notes = number(4), regions = number(4);
  if (notes > most_notes || regions > most_regions)
    fail(fmt::format("expected notes of at most {} bytes and at most {} regions, found {} and {}", most_notes,
                     most_regions, notes, regions));
  skip(8);
  need(notes, "notes");
  skip(notes);
  need(region_size * regions, "regions");
  for (std::uint64_t r = 0; r < regions; ++r) {
    netrace_region& region = regions_.emplace_back();
    region.offset = number(8), region.cycles = number(8), region.packets = number(8);
  }
}

void netrace_file::fail(const std::string& message) const {
  throw config_error(fmt::format("{}: byte {}: {}", path_.string(), before_ + at_, message));
}

/// Has so many bytes in hand.
void netrace_file::need(std::size_t bytes, const char* what) {
  if (part_.size() - at_ >= bytes) return;
  before_ += at_;
  part_.erase(0, at_);
  at_ = 0;
  const std::size_t had = part_.size();
  part_.resize(had + (1 << 16));
  part_.resize(had + bytes_->read(part_.data() + had, 1 << 16));
  if (part_.size() < bytes) fail(fmt::format("the file ends within the {}", what));
}

std::uint64_t netrace_file::number(unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(part_[at_ + i]);
  at_ += bytes;
  return value;
}

void netrace_file::skip(std::uint64_t bytes) { at_ += static_cast<std::size_t>(bytes); }

void netrace_file::skip_to(const netrace_region& region) {
  for (std::uint64_t left = region.offset; left;) {
    const std::uint64_t step = std::min<std::uint64_t>(left, 1 << 16);
    need(static_cast<std::size_t>(step), "packets before the region");
    skip(step);
    left -= step;
  }
}

bool netrace_file::next(netrace_packet& p) {
  if (at_ == part_.size()) {
    before_ += at_;
    at_ = 0;
    part_.resize(1 << 16);
    part_.resize(bytes_->read(part_.data(), part_.size()));
    if (part_.empty()) return false;
  }
  need(packet_size, "packet");
  p.cycle = number(8);
  p.id = static_cast<std::uint32_t>(number(4));
  skip(4);
  p.type = static_cast<std::uint8_t>(number(1));
  p.source = static_cast<std::uint8_t>(number(1));
  p.destination = static_cast<std::uint8_t>(number(1));
  skip(1);
  const auto dependents = static_cast<std::size_t>(number(1));
  if (any_ && (p.cycle < last_cycle_ || p.id <= last_id_))
    fail(fmt::format("packet {} of cycle {} comes after packet {} of cycle {}: expected them in order", p.id,
                     p.cycle, last_id_, last_cycle_));
  if (p.source >= nodes_ || p.destination >= nodes_)
    fail(fmt::format("packet {} goes from node {} to {}: expected 0..{}", p.id, p.source, p.destination,
                     nodes_ - 1));
  if (p.bytes() == 0) fail(fmt::format("packet {} is of type {}, which there is not", p.id, p.type));
  any_ = true;
  last_cycle_ = p.cycle, last_id_ = p.id;
  need(4 * dependents, "packet");
  p.dependents.clear();
  for (std::size_t d = 0; d < dependents; ++d) {
    p.dependents.push_back(static_cast<std::uint32_t>(number(4)));
    if (p.dependents.back() <= p.id)
      fail(fmt::format("packet {} waits for packet {}, which comes later or is the same", p.dependents.back(),
                       p.id));
  }
  return true;
}

void check_netrace(const std::filesystem::path& path) {
  struct awaited {
    std::uint32_t by;
    std::uint8_t at;  // node that it comes to
  };
  netrace_file file(path);
  std::map<std::uint32_t, std::vector<awaited>> waiting;  // by packet: whom it waits for
  const auto fail = [&](const std::string& message) { throw config_error(path.string() + ": " + message); };
  std::uint64_t packets = 0;
  for (netrace_packet p; file.next(p); ++packets) {
    // Those before it, which have gone by, never come.
    if (!waiting.empty() && waiting.begin()->first < p.id)
      fail(fmt::format("packet {} waits for packet {}, but is not in the trace", waiting.begin()->first,
                       waiting.begin()->second.front().by));
    if (!waiting.empty() && waiting.begin()->first == p.id) {
      for (const awaited& a : waiting.begin()->second)
        if (a.at != p.source)
          fail(fmt::format("packet {} of node {} waits for packet {}, which comes to node {}", p.id, p.source,
                           a.by, a.at));
      waiting.erase(waiting.begin());
    }
    for (const std::uint32_t d : p.dependents) waiting[d].push_back({p.id, p.destination});
  }
  if (!waiting.empty())
    fail(fmt::format("packet {} waits for packet {}, but is not in the trace", waiting.begin()->first,
                     waiting.begin()->second.front().by));
  if (packets != file.packets())
    fail(fmt::format("the head promises {} packets, found {}", file.packets(), packets));
}

}  // namespace spillway
