#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/goal/circles.hpp>
#include <spillway/tb/goal/goal_file.hpp>
#include <spillway/tb/goal/label_table.hpp>

namespace spillway {

namespace {

using what = goal_statement::what;

constexpr std::size_t least_rank = 9;  // bytes: `rank 0 {}`

/// Releases an operation when all lines have been read that may say what it waits for.
class file_rank final : public rank_program {
public:
  file_rank(std::shared_ptr<const goal_bytes> bytes, const goal_place& from, std::uint32_t reach,
            std::size_t window)
      : in_(std::move(bytes), from, window), reach_(reach) {}

  bool next(goal_op& op) override {
    while (!ended_ && pending_.size() <= std::size_t{reach_} + 1) read();
    if (pending_.empty()) return false;
    op = std::move(pending_.front());
    pending_.pop_front();
    ++released_;
    return true;
  }

private:
  void read() {
    const goal_statement s = in_.next();
    if (s.is == what::op) {
      if (!s.label.empty()) labels_.add(s.label, released_ + static_cast<std::uint32_t>(pending_.size()));
      pending_.push_back(s.op);
    } else if (s.is == what::needs) {
      const auto op = labels_.find(s.label), on = labels_.find(s.on);
      if (!op || !on || *op < released_ || *op - released_ >= pending_.size())
        in_.fail("the file has changed since it was first read");
      pending_[*op - released_].after.push_back({*on, s.on_start});
    } else {
      ended_ = true;
    }
  }

  goal_scanner in_;
  const std::uint32_t reach_;
  label_table labels_;
  std::deque<goal_op> pending_;
  std::uint32_t released_ = 0;
  bool ended_ = false;
};

}  // namespace

goal_file::goal_file(const std::filesystem::path& path, std::uint64_t most_ranks, const std::string& limit)
    : bytes_(std::make_shared<const goal_bytes>(path)) {
  goal_scanner in(bytes_, {}, whole_window);
  goal_statement s = in.next();
  if (s.is != what::num_ranks) in.fail("expected 'num_ranks' first");
  if (s.number == 0) in.fail(s.on_column, "expected a rank or more, found num_ranks 0");
  if (s.number > most_ranks)
    in.fail(s.on_column, fmt::format("expected at most {} ranks, {}, found {}", most_ranks, limit, s.number));
  // What is made room for is there.
  if (s.number > bytes_->size() / least_rank)
    in.fail(s.on_column,
            fmt::format("a file of {} bytes has no room for {} ranks", bytes_->size(), s.number));
  starts_.resize(s.number);
  std::uint64_t found = 0;
  for (s = in.next(); s.is != what::end_of_file; s = in.next()) {
    if (s.is != what::rank) in.fail("expected 'rank'");
    if (s.number >= starts_.size())
      in.fail(s.on_column, fmt::format("expected a rank 0..{}, found {}", starts_.size() - 1, s.number));
    if (starts_[s.number].known)
      in.fail(s.on_column, fmt::format("rank {} stands here a second time", s.number));
    read_rank(in, static_cast<std::uint32_t>(s.number));
    ++found;
  }
  if (found == starts_.size()) return;
  const auto missing = std::find_if(starts_.begin(), starts_.end(), [](auto& r) { return !r.known; });
  in.fail(fmt::format("the file ends after {} of {} ranks: rank {} is missing", found, starts_.size(),
                      missing - starts_.begin()));
}

std::uint32_t goal_file::label_of(const goal_scanner& in, const label_table& labels, std::string_view label,
                                  std::uint32_t column) const {
  const auto op = labels.find(label);
  if (!op)
    in.fail(column, fmt::format("expected a label that stands above, found '{}'", label.substr(0, 40)));
  return *op;
}

void goal_file::read_rank(goal_scanner& in, std::uint32_t rank) {
  rank_start& start = starts_[rank];
  start.known = true;
  start.from = in.place();
  const std::uint64_t first_line = start.from.line;
  label_table labels;
  std::uint32_t ops = 0;
  bool may_circle = false;
  for (goal_statement s = in.next(); s.is != what::close; s = in.next()) {
    if (s.is == what::op) {
      if (s.op.kind != goal_kind::calc && s.op.peer != goal_op::any && s.op.peer >= starts_.size())
        in.fail(fmt::format("expected a rank 0..{}, found {}", starts_.size() - 1, s.op.peer));
      if (!s.label.empty() && !labels.add(s.label, ops))
        in.fail(fmt::format("label '{}' stands here a second time in rank {}", s.label.substr(0, 40), rank));
      if (++ops == goal_op::any) in.fail("expected fewer than 2^32 - 1 operations of a rank");
    } else if (s.is == what::needs) {
      const auto column = static_cast<std::uint32_t>(s.on_column);
      // Its own column is that of the statement.
      const auto op = labels.find(s.label);
      if (!op) in.fail(fmt::format("expected a label that stands above, found '{}'", s.label.substr(0, 40)));
      const std::uint32_t on = label_of(in, labels, s.on, column);
      if (on == *op) in.fail(fmt::format("'{}' waits for itself", s.label.substr(0, 40)));
      may_circle = may_circle || on > *op;
      start.reach = std::max(start.reach, ops - 1 - *op);
    } else if (s.is == what::end_of_file) {
      in.fail(fmt::format("the file ends within rank {}, which begins in line {}: expected '}}'", rank,
                          first_line));
    } else {
      in.fail("expected an operation, a dependency or '}'");
    }
  }
  start.operations = ops;
  operations_ += ops;
  if (!may_circle) return;
  file_rank again(bytes_, start.from, start.reach, whole_window);
  check_circles(again, *this, "line");
}

std::unique_ptr<rank_program> goal_file::open(std::uint32_t rank) const {
  const std::size_t window = std::min(std::size_t{1} << 16, all_windows / starts_.size());
  return std::make_unique<file_rank>(bytes_, starts_[rank].from, starts_[rank].reach, window);
}

std::string goal_file::where(std::uint32_t, const goal_op& op) const {
  return fmt::format("{}:{}:{}", bytes_->path().string(), op.line, op.column);
}

double goal_file::share(std::uint32_t rank, std::uint64_t done, std::uint32_t) const {
  const std::uint32_t all = starts_[rank].operations;
  return all ? static_cast<double>(done) / all : 1;
}

}  // namespace spillway
