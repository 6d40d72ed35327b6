#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/goal/binary_goal.hpp>
#include <spillway/tb/goal/circles.hpp>
#include <unordered_map>

namespace spillway {

namespace {

constexpr std::uint64_t magic = 4223, used_up = 2342;
constexpr std::uint64_t head = 14, place_size = 16;  // bytes: before the table of parts, of its entries
constexpr std::uint64_t base = 8;                    // from which the table counts
constexpr std::uint64_t op_size = 39;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 48, most_nanoseconds = std::uint64_t{1} << 53;

[[noreturn]] void fail_at(const goal_bytes& file, std::uint64_t byte, const std::string& message) {
  throw config_error(fmt::format("{}: byte {}: {}", file.path().string(), byte, message));
}

struct list {
  std::uint32_t count = 0, first = 0;
};

}  // namespace

/// Numbers at any place of a file, read a window at a time.
class byte_window {
public:
  byte_window(std::shared_ptr<const goal_bytes> file, std::size_t size)
      : file_(std::move(file)), size_(size) {}

  /// The number of `count` bytes there, the lowest first.
  std::uint64_t number(std::uint64_t at, unsigned count) {
    if (at < from_ || at + count > from_ + window_.size()) fill(at, count);
    std::uint64_t value = 0;
    for (unsigned i = count; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(window_[static_cast<std::size_t>(at - from_) + i]);
    return value;
  }
  std::uint32_t word(std::uint64_t at) { return static_cast<std::uint32_t>(number(at, 4)); }

private:
  void fill(std::uint64_t at, unsigned count) {
    const std::uint64_t left = file_->size() > at ? file_->size() - at : 0;
    window_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size_, left)));
    window_.resize(file_->read(at, window_.data(), window_.size()));
    from_ = at;
    if (window_.size() < count) fail_at(*file_, at, "the file ends too soon");
  }
  const std::shared_ptr<const goal_bytes> file_;
  const std::size_t size_;
  std::uint64_t from_ = 0;
  std::string window_;
};

/// Reads the operations of a part one after another. Each is released when all have been read that say that
/// it waits for them: its own count says how many there are.
class binary_rank final : public rank_program {
public:
  binary_rank(const binary_goal& goal, const binary_goal::part& p, std::size_t window)
      : file_(goal.bytes_),
        ranks_(goal.ranks()),
        operations_(p.operations),
        first_op_(p.begin + 8 + std::uint64_t{4} * p.roots),
        lists_(first_op_ + op_size * p.operations),
        entries_((p.end - lists_) / 4),
        ops_(file_, window),
        names_(file_, window) {}

  bool next(goal_op& op) override {
    while (read_ < operations_ && (pending_.empty() || pending_.front().missing)) read();
    if (pending_.empty()) {
      finish();
      return false;
    }
    if (pending_.front().missing)
      fail_at(*file_, pending_.front().op.line,
              fmt::format("operation {} waits for {} others of which no operation knows", released_,
                          pending_.front().missing));
    op = std::move(pending_.front().op);
    pending_.pop_front();
    ++released_;
    return true;
  }
  std::uint32_t roots() const { return roots_; }
  /// Whether one waits for another that stands behind it.
  bool looks_back() const { return looks_back_; }

private:
  struct waiting {
    goal_op op;
    std::uint32_t missing = 0;  // operations it waits for that have not been read
  };

  void read() {
    const std::uint64_t at = first_op_ + op_size * read_;
    waiting w;
    w.op.line = at;
    read_fields(w.op, at);
    w.missing = ops_.word(at);
    roots_ += w.missing == 0;
    if (const auto known = early_.find(read_); known != early_.end()) {
      if (known->second.size() > w.missing)
        fail_at(*file_, at,
                fmt::format("operation {} waits for {} others, but {} or more say so", read_, w.missing,
                            known->second.size()));
      w.missing -= static_cast<std::uint32_t>(known->second.size());
      w.op.after = std::move(known->second);
      early_.erase(known);
    }
    pending_.push_back(std::move(w));
    for (const bool on_start : {false, true}) {
      const std::uint64_t place = at + (on_start ? 31 : 23);
      tell_followers({ops_.word(place), ops_.word(place + 4)}, place, on_start);
    }
    ++read_;
  }

  void read_fields(goal_op& op, std::uint64_t at) {
    const std::uint64_t kind = ops_.number(at + 4, 1);
    if (kind < 1 || kind > 3)
      fail_at(*file_, at + 4, fmt::format("expected 1 (send), 2 (recv) or 3 (calc), found {}", kind));
    op.kind = kind == 1 ? goal_kind::send : kind == 2 ? goal_kind::recv : goal_kind::calc;
    op.size = ops_.number(at + 9, 8);
    op.cpu = static_cast<std::uint8_t>(ops_.number(at + 21, 1));
    const bool computes = op.kind == goal_kind::calc;
    if (op.size > (computes ? most_nanoseconds : most_bytes))
      fail_at(*file_, at + 9, fmt::format("expected at most 2^{}, found {}", computes ? 53 : 48, op.size));
    if (computes) return;
    op.peer = ops_.word(at + 5), op.tag = ops_.word(at + 17);
    op.nic = static_cast<std::uint8_t>(ops_.number(at + 22, 1));
    const bool receives = op.kind == goal_kind::recv;
    if (op.peer >= ranks_ && !(receives && op.peer == goal_op::any))
      fail_at(*file_, at + 5, fmt::format("expected a rank 0..{}, found {}", ranks_ - 1, op.peer));
    if (op.tag == goal_op::any && !receives) fail_at(*file_, at + 17, "expected a tag below 2^32 - 1");
  }

  void tell_followers(const list& l, std::uint64_t place, bool on_start) {
    if (l.count == 0) return;
    told_ += l.count;
    if (std::uint64_t{l.first} + l.count > entries_ || told_ > entries_)
      fail_at(*file_, place,
              fmt::format("expected operations within a list of {}, found {} from {} on", entries_, l.count,
                          l.first));
    for (std::uint64_t i = 0; i < l.count; ++i) {
      const std::uint64_t at = lists_ + 4 * (l.first + i);
      const std::uint32_t follower = names_.word(at);
      if (follower >= operations_)
        fail_at(*file_, at, fmt::format("expected an operation 0..{}, found {}", operations_ - 1, follower));
      if (follower == read_) fail_at(*file_, at, fmt::format("operation {} waits for itself", follower));
      if (follower > read_) {
        early_[follower].push_back({read_, on_start});
        continue;
      }
      looks_back_ = true;
      // One that has been released has all that it waits for.
      if (follower < released_ || pending_[follower - released_].missing == 0)
        fail_at(*file_, at, fmt::format("operation {} waits for fewer than say so", follower));
      waiting& w = pending_[follower - released_];
      --w.missing;
      w.op.after.push_back({read_, on_start});
    }
  }
  void finish() const {
    if (told_ != entries_)
      fail_at(*file_, lists_,
              fmt::format("expected a list of {} operations, found one of {}", told_, entries_));
  }

  const std::shared_ptr<const goal_bytes> file_;
  const std::uint32_t ranks_, operations_;
  const std::uint64_t first_op_, lists_, entries_;  // bytes; bytes; words of the lists
  byte_window ops_, names_;
  std::deque<waiting> pending_;
  std::unordered_map<std::uint32_t, std::vector<goal_dependency>> early_;  // of operations not read yet
  std::uint32_t read_ = 0, released_ = 0, roots_ = 0;
  std::uint64_t told_ = 0;
  bool looks_back_ = false;
};

bool binary_goal::is_one(const std::filesystem::path& path) {
  const auto file = std::make_shared<const goal_bytes>(path);
  if (file->size() < 8) return false;
  const std::uint64_t first = byte_window(file, 8).number(0, 8);
  return first == magic || first == used_up;
}

binary_goal::binary_goal(const std::filesystem::path& path, std::uint64_t most_ranks,
                         const std::string& limit)
    : bytes_(std::make_shared<const goal_bytes>(path)) {
  byte_window in(bytes_, head);
  if (in.number(0, 8) != magic)
    fail(0, "LogGOPSim has used this file up (--save-mem): expected it as txt2bin wrote it");
  const std::uint32_t ranks = in.word(8);
  if (ranks == 0) fail(8, "expected a rank or more, found 0");
  if (ranks > most_ranks)
    fail(8, fmt::format("expected at most {} ranks, {}, found {}", most_ranks, limit, ranks));
  if (head + place_size * ranks > bytes_->size())
    fail(8, fmt::format("a file of {} bytes has no room for {} ranks", bytes_->size(), ranks));
  read_parts(ranks);
  for (part& p : parts_) check(p);
}

void binary_goal::fail(std::uint64_t byte, const std::string& message) const {
  fail_at(*bytes_, byte, message);
}

void binary_goal::read_parts(std::uint64_t ranks) {
  byte_window table(bytes_, whole_window), in(bytes_, 8);
  std::uint64_t together = 0;
  for (std::uint64_t r = 0; r < ranks; ++r) {
    const std::uint64_t at = head + place_size * r;
    part p;
    const std::uint64_t begin = table.number(at, 8), end = table.number(at + 8, 8),
                        room = bytes_->size() - base;
    if (begin < head - base + place_size * ranks || begin > room || end > room || end < begin ||
        end - begin < 8)
      fail(at, fmt::format("expected the part of rank {} within bytes {}..{}, found {}..{}", r,
                           head + place_size * ranks, bytes_->size(), begin + base, end + base));
    p.begin = begin + base, p.end = end + base;
    // So that the work is bounded by the size of the file.
    together += p.end - p.begin;
    if (together > bytes_->size()) fail(at, fmt::format("the part of rank {} overlaps others", r));
    p.operations = in.word(p.begin), p.roots = in.word(p.begin + 4);
    const std::uint64_t needed = 8 + std::uint64_t{4} * p.roots + op_size * p.operations;
    if (needed > end - begin || (end - begin - needed) % 4 || p.operations == goal_op::any)
      fail(p.begin,
           fmt::format("{} operations, {} of them without others that they wait for, do not fit in {} bytes",
                       p.operations, p.roots, end - begin));
    parts_.push_back(p);
  }
}

void binary_goal::check(part& p) {
  binary_rank rank(*this, p, whole_window);
  for (goal_op op; rank.next(op); op = {}) {
  }
  if (rank.roots() != p.roots)
    fail(p.begin + 4,
         fmt::format("expected {} operations that wait for no other, found {}", rank.roots(), p.roots));
  operations_ += p.operations;
  if (!rank.looks_back()) return;
  binary_rank again(*this, p, whole_window);
  check_circles(again, *this, "byte");
}

std::unique_ptr<rank_program> binary_goal::open(std::uint32_t rank) const {
  const std::size_t window = std::min(std::size_t{1} << 15, all_windows / parts_.size());
  return std::make_unique<binary_rank>(*this, parts_[rank], std::max<std::size_t>(window, 64));
}

std::string binary_goal::where(std::uint32_t, const goal_op& op) const {
  return fmt::format("{}: byte {}", bytes_->path().string(), op.line);
}

double binary_goal::share(std::uint32_t rank, std::uint64_t done, std::uint32_t) const {
  const std::uint32_t all = parts_[rank].operations;
  return all ? static_cast<double>(done) / all : 1;
}

}  // namespace spillway
