#pragma once
#include <spillway/tb/traffic/entries.hpp>
#include <vector>

namespace spillway {

/// Which terminals send in which batch: `senders` of them, distinct, at random, anew for each.
class batch_plan {
public:
  /// `among`: terminals that can be drawn, ascending. `senders`: at most as many. `stream`, `entry`: numbers
  /// of the traffic's stream and entry, each of which draws senders of its own.
  batch_plan(std::vector<std::uint32_t> among, std::uint32_t senders, std::uint32_t batches,
             std::uint64_t seed, unsigned stream = 0, std::uint64_t entry = 0);

  /// The batches of a terminal that can be drawn, from 0, ascending: `count(t)` of them.
  std::uint32_t batch(std::uint32_t terminal, std::uint64_t i) const {
    return batches_[first_[terminal] + i];
  }
  std::uint64_t count(std::uint32_t terminal) const { return first_[terminal + 1] - first_[terminal]; }

private:
  std::vector<std::uint64_t> first_;  // by terminal, in batches_
  std::vector<std::uint32_t> batches_;
};

/// One packet each of some terminals at once, now and again.
class batch_injection final : public injection {
public:
  /// `every`: cycles from one batch to the next. Without a plan all who carry out the entry send in all
  /// batches.
  explicit batch_injection(std::uint64_t batches = 1, std::uint64_t every = 1,
                           std::shared_ptr<const batch_plan> plan = nullptr)
      : batches_(batches), every_(every), plan_(std::move(plan)) {}

  std::shared_ptr<arrivals> start(std::uint32_t terminal) const override;
  bool ends() const override { return true; }

private:
  const std::uint64_t batches_, every_;
  const std::shared_ptr<const batch_plan> plan_;
};

class batch_entry final : public injection_entry {
public:
  batch_entry() : injection_entry("batch") {}
  nlohmann::json schema() const override;
  std::shared_ptr<const injection> make(const traffic_context& c, const offered_load& load) const override;
};

}  // namespace spillway
