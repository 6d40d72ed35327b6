#pragma once
#include <memory>
#include <spillway/tb/report/latency_meter.hpp>
#include <spillway/tb/workloads/workload.hpp>
#include <string>
#include <vector>

namespace spillway {

/// The terminals of one of several programs, which knows them by numbers of its own, from 0.
class job_terminals {
public:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// @param numbers in the network of `terminals`, each once, in the order of the job's own numbers
  job_terminals(std::vector<std::uint32_t> numbers, std::uint32_t terminals);

  std::uint32_t size() const { return static_cast<std::uint32_t>(numbers_.size()); }
  std::uint32_t in_network(std::uint32_t own) const { return numbers_[own]; }
  /// The job's number of a terminal, or `none`.
  std::uint32_t own(std::uint32_t in_network) const { return own_[in_network]; }
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }

private:
  std::vector<std::uint32_t> numbers_, own_;
};

/// What a terminal of a job sends, and hears of its own job.
std::unique_ptr<packet_supply> make_job_supply(std::unique_ptr<packet_supply> inner,
                                               std::shared_ptr<const job_terminals> where);
/// A terminal that no job has: it sends nothing, and is at every barrier.
std::unique_ptr<packet_supply> make_idle_supply();

/// What a job took, and what its program measures, under its name.
class job_measure final : public measurement {
public:
  /// `inner`: the program's own, which hear of the job's numbers of terminals.
  job_measure(std::string name, std::shared_ptr<const job_terminals> where,
              std::vector<std::unique_ptr<measurement>> inner);

  void created(std::uint64_t cycle, const flit& head) override;
  void injected(std::uint64_t cycle, const flit& head) override;
  void delivered(const delivery& d) override;
  void write_off(std::uint64_t cycle) override;
  void finish(std::uint64_t cycles) override;
  /// `job.NAME.end` (cycle in which its last packet arrived), `.packets`, `.latency.mean`, `.latency.p99` (of
  /// its packets, from their creation), and what its program counts, such as `job.NAME.goal.completion`.
  void count(counters& all) const override;
  std::vector<std::string> columns() const override;
  std::vector<double> sample(std::uint64_t cycle) override;
  std::vector<series_picture> pictures() const override;
  std::vector<table_record> tables() const override;
  std::vector<compared_number> compared() const override;
  std::string fault() const override;
  std::vector<std::string> findings() const override;

private:
  bool is_own(std::uint32_t source) const { return where_->own(source) != job_terminals::none; }
  std::string prefix() const { return "job." + name_ + '.'; }

  const std::string name_;
  const std::shared_ptr<const job_terminals> where_;
  const std::vector<std::unique_ptr<measurement>> inner_;
  latency_meter latency_;
  std::uint64_t packets_ = 0, end_ = 0;
};

}  // namespace spillway
