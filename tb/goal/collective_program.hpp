#pragma once
#include <memory>
#include <spillway/tb/goal/expert_load.hpp>
#include <spillway/tb/goal/goal_program.hpp>

namespace spillway {

enum class collective_operation {
  all_reduce,
  barrier,  ///< an all_reduce without data
  all_gather,
  reduce_scatter,
  all_to_all,
  mixture_of_experts,
  halo_exchange,  ///< of a ring: with the rank before and the rank behind
  pipeline,       ///< rank after rank, a message a step
};
enum class collective_algorithm { ring, recursive_doubling, tree, direct, network };

struct collective_config {
  collective_operation operation = collective_operation::all_reduce;
  collective_algorithm algorithm = collective_algorithm::ring;
  std::uint32_t ranks = 2;
  std::uint64_t bytes = 1024;  ///< of the whole vector; of a token; of a message
  std::uint32_t repeat = 1;    ///< steps
  double compute = 0;          ///< nanoseconds a byte that is reduced, or a token
  std::uint64_t think = 0;     ///< nanoseconds of each rank before each step
  expert_config experts;

  /// Throws std::invalid_argument for what does not go together.
  void check() const;
};

/// A collective operation, step after step, as a program of ranks: a rank begins a step when it is done with
/// the one before. Nothing is kept but the operations of a step.
///
/// all_reduce: ring (reduce-scatter, then all-gather, a part a step), recursive_doubling (whole vectors with
/// the ranks 1, 2, 4 ... away), tree (a binomial tree to rank 0 and back) or network (its switches reduce).
/// barrier: the same without ring. all_gather: ring or
/// recursive_doubling. reduce_scatter: ring or recursive_doubling (halves). all_to_all: direct (to the rank
/// 1, 2, 3 ... behind). mixture_of_experts: tokens to experts, work there, and back.
class collective_program final : public goal_program {
public:
  explicit collective_program(const collective_config& config);

  std::uint32_t ranks() const override { return config_.ranks; }
  std::unique_ptr<rank_program> open(std::uint32_t rank) const override;
  double share(std::uint32_t rank, std::uint64_t done, std::uint32_t step) const override;
  std::string where(std::uint32_t rank, const goal_op& op) const override;

private:
  const collective_config config_;
  const std::shared_ptr<expert_load> load_;  // of all ranks; nullptr: there are no experts
};

}  // namespace spillway
