#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <spillway/tb/goal/collective_program.hpp>
#include <stdexcept>

namespace spillway {

namespace {

using operation = collective_operation;
using algorithm = collective_algorithm;

bool is_power_of_two(std::uint32_t n) { return n && (n & (n - 1)) == 0; }

/// Makes the operations of a step when those of the step before have been read.
class collective_rank final : public rank_program {
public:
  collective_rank(const collective_config& config, std::shared_ptr<expert_load> load, std::uint32_t rank)
      : config_(config), load_(std::move(load)), rank_(rank), n_(config.ranks) {}

  bool next(goal_op& op) override {
    while (made_.empty()) {
      if (step_ == config_.repeat) return false;
      make_step();
      ++step_;
    }
    op = std::move(made_.front());
    made_.pop_front();
    return true;
  }

private:
  using numbers = std::vector<std::uint32_t>;

  std::uint32_t add(goal_op op, const numbers& after) {
    op.step = step_;
    op.line = number_ + 1;
    for (const std::uint32_t on : after) op.after.push_back({on, false});
    made_.push_back(std::move(op));
    return number_++;
  }
  std::uint32_t message(goal_kind kind, std::uint32_t peer, std::uint64_t bytes, const numbers& after,
                        std::uint32_t tag = 0) {
    goal_op op;
    op.kind = kind, op.size = bytes, op.peer = peer, op.tag = tag;
    return add(std::move(op), after);
  }
  std::uint32_t send(std::uint32_t to, std::uint64_t bytes, const numbers& after, std::uint32_t tag = 0) {
    return message(goal_kind::send, to, bytes, after, tag);
  }
  std::uint32_t receive(std::uint32_t from, std::uint64_t bytes, const numbers& after,
                        std::uint32_t tag = 0) {
    return message(goal_kind::recv, from, bytes, after, tag);
  }
  /// Work on so many bytes, or tokens, if that takes any time.
  numbers work(double amount, const numbers& after) {
    const auto time = static_cast<std::uint64_t>(std::llround(config_.compute * amount));
    return time ? numbers{calc(time, after)} : after;
  }
  std::uint32_t calc(std::uint64_t time, const numbers& after) {
    goal_op op;
    op.size = time;
    return add(std::move(op), after);
  }
  std::uint64_t part() const { return (config_.bytes + n_ - 1) / n_; }

  void make_step() {
    if (config_.think) last_ = {calc(config_.think, last_)};
    switch (config_.operation) {
      case operation::all_reduce:
      case operation::barrier:
        if (config_.algorithm == algorithm::network) return network();
        if (config_.algorithm == algorithm::tree) return tree();
        if (config_.algorithm == algorithm::recursive_doubling)
          return doubling(config_.bytes, config_.bytes, true);
        ring(true);
        return ring(false);
      case operation::reduce_scatter:
        if (config_.algorithm == algorithm::ring) return ring(true);
        return halving();
      case operation::all_gather:
        if (config_.algorithm == algorithm::ring) return ring(false);
        return doubling(part(), 0, false);
      case operation::all_to_all:
        return all_to_all();
      case operation::mixture_of_experts:
        return experts();
      case operation::halo_exchange:
        return halo();
      case operation::pipeline:
        return pipeline();
    }
  }

  /// A part to the rank behind and one from the rank before, n - 1 times.
  void ring(bool reduces) {
    for (std::uint32_t i = 1; i < n_; ++i) {
      const std::uint32_t sent = send((rank_ + 1) % n_, part(), last_);
      numbers next =
          work(reduces ? static_cast<double>(part()) : 0, {receive((rank_ + n_ - 1) % n_, part(), last_)});
      next.push_back(sent);
      last_ = std::move(next);
    }
  }
  /// Exchanges with the ranks 1, 2, 4 ... away: `bytes`, more by as much as has come if they do not stay the
  /// same.
  void doubling(std::uint64_t bytes, std::uint64_t always, bool reduces) {
    for (std::uint32_t away = 1; away < n_; away *= 2, bytes = always ? always : 2 * bytes)
      exchange(away, bytes, reduces);
  }
  void halving() {
    std::uint64_t bytes = (config_.bytes + 1) / 2;
    for (std::uint32_t away = n_ / 2; away >= 1; away /= 2, bytes = (bytes + 1) / 2)
      exchange(away, bytes, true);
  }
  void exchange(std::uint32_t away, std::uint64_t bytes, bool reduces) {
    const std::uint32_t sent = send(rank_ ^ away, bytes, last_);
    numbers next = work(reduces ? static_cast<double>(bytes) : 0, {receive(rank_ ^ away, bytes, last_)});
    next.push_back(sent);
    last_ = std::move(next);
  }
  void tree() {
    // To rank 0 from the ranks with the lowest bit set first, then back.
    const auto bytes = static_cast<double>(config_.bytes);
    std::uint32_t bit = 1;
    for (; bit < n_ && !(rank_ & bit); bit *= 2)
      if (rank_ + bit < n_) last_ = work(bytes, {receive(rank_ + bit, config_.bytes, last_)});
    if (rank_) {
      last_ = {send(rank_ - bit, config_.bytes, last_)};
      last_ = {receive(rank_ - bit, config_.bytes, last_)};
    }
    for (bit /= 2; bit >= 1; bit /= 2)
      if (rank_ + bit < n_) last_ = {send(rank_ + bit, config_.bytes, last_)};
  }
  void network() { last_ = {message(goal_kind::reduce, rank_, config_.bytes, last_)}; }
  void all_to_all() {
    numbers all;
    for (std::uint32_t i = 1; i < n_; ++i) all.push_back(receive((rank_ + n_ - i) % n_, part(), last_));
    for (std::uint32_t i = 1; i < n_; ++i) all.push_back(send((rank_ + i) % n_, part(), last_));
    if (!all.empty()) last_ = std::move(all);
  }
  void experts() {
    const auto& tokens = load_->step(step_);
    numbers arrived = last_, all;
    std::uint64_t here = tokens[rank_][rank_];
    for (std::uint32_t i = 1; i < n_; ++i) {
      const std::uint32_t from = (rank_ + n_ - i) % n_, count = tokens[from][rank_];
      if (!count) continue;
      arrived.push_back(receive(from, count * config_.bytes, last_, 0));
      here += count;
    }
    for (std::uint32_t i = 1; i < n_; ++i) {
      const std::uint32_t to = (rank_ + i) % n_, count = tokens[rank_][to];
      if (count) all.push_back(send(to, count * config_.bytes, last_, 0));
    }
    const numbers done = work(static_cast<double>(here), arrived);
    for (std::uint32_t i = 1; i < n_; ++i) {
      const std::uint32_t to = (rank_ + i) % n_;
      if (tokens[to][rank_]) all.push_back(send(to, tokens[to][rank_] * config_.bytes, done, 1));
    }
    for (std::uint32_t i = 1; i < n_; ++i) {
      const std::uint32_t from = (rank_ + n_ - i) % n_;
      if (tokens[rank_][from]) all.push_back(receive(from, tokens[rank_][from] * config_.bytes, last_, 1));
    }
    all.insert(all.end(), done.begin(), done.end());
    last_ = std::move(all);
  }
  void halo() {
    const std::uint32_t before = (rank_ + n_ - 1) % n_, behind = (rank_ + 1) % n_;
    last_ = {receive(before, config_.bytes, last_, 1), receive(behind, config_.bytes, last_, 0),
             send(before, config_.bytes, last_, 0), send(behind, config_.bytes, last_, 1)};
  }
  void pipeline() {
    numbers now = last_;
    if (rank_ > 0) now.push_back(receive(rank_ - 1, config_.bytes, last_));
    now = work(static_cast<double>(config_.bytes), now);
    if (rank_ + 1 < n_) now = {send(rank_ + 1, config_.bytes, now)};
    last_ = std::move(now);
  }

  const collective_config config_;
  const std::shared_ptr<expert_load> load_;
  const std::uint32_t rank_, n_;
  std::uint32_t step_ = 0, number_ = 0;
  numbers last_;  // operations that a rank is to be done with before it goes on
  std::deque<goal_op> made_;
};

}  // namespace

void collective_config::check() const {
  const auto need = [](bool holds, const std::string& rule) {
    if (!holds) throw std::invalid_argument(rule);
  };
  need(ranks >= 2, fmt::format("a collective operation is among 2 ranks or more, found {}", ranks));
  if (algorithm == collective_algorithm::recursive_doubling)
    need(is_power_of_two(ranks),
         fmt::format("recursive_doubling is among 2, 4, 8 ... ranks, found {}", ranks));
}

collective_program::collective_program(const collective_config& config)
    : config_(config),
      load_(config.operation == operation::mixture_of_experts ? std::make_shared<expert_load>(config.experts)
                                                              : nullptr) {
  config.check();
}

std::unique_ptr<rank_program> collective_program::open(std::uint32_t rank) const {
  return std::make_unique<collective_rank>(config_, load_, rank);
}

double collective_program::share(std::uint32_t, std::uint64_t done, std::uint32_t step) const {
  return done ? static_cast<double>(step) / config_.repeat : 0;
}

std::string collective_program::where(std::uint32_t rank, const goal_op& op) const {
  return fmt::format("operation {} of rank {}", op.line, rank);
}

}  // namespace spillway
