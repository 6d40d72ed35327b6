#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spillway {

/// An operation of a rank.
enum class goal_kind : std::uint8_t {
  calc,
  send,
  recv,
  reduce,  ///< of all ranks, by the network; no operation of a GOAL file
};

/// What an operation waits for: another one of its rank, by its number there.
struct goal_dependency {
  std::uint32_t on = 0;
  bool on_start = false;  ///< only for its start (`irequires`), else for its end
};

/// An operation of a rank, as GOAL has them (Hoefler, Siebert and Lumsdaine, 2009, in the dialect of
/// LogGOPSim).
struct goal_op {
  static constexpr std::uint32_t any = ~std::uint32_t{0};  ///< any source, any tag
  static constexpr std::uint32_t no_step = ~std::uint32_t{0};

  goal_kind kind = goal_kind::calc;
  std::uint8_t cpu = 0, nic = 0;
  std::uint64_t size = 0;  ///< of a calc in nanoseconds, else in bytes
  std::uint32_t peer = 0;  ///< rank that it sends to or receives from; itself for reduce
  std::uint32_t tag = 0;
  std::uint32_t step = no_step;  ///< of a program that repeats something: which time
  std::uint64_t line = 0;        ///< where it stands in its file
  std::uint32_t column = 0;
  std::vector<goal_dependency> after;
};

/// The operations of a rank in the order of their numbers, from 0; read as they are needed.
class rank_program {
public:
  virtual ~rank_program() = default;
  /// The next operation with all that it waits for, or false at the end.
  virtual bool next(goal_op& op) = 0;
};

/// What ranks do: a file, or a program that is made up. It serves any number of runs.
class goal_program {
public:
  virtual ~goal_program() = default;
  virtual std::uint32_t ranks() const = 0;
  virtual std::unique_ptr<rank_program> open(std::uint32_t rank) const = 0;
  /// How far a rank is, 0 to 1, that has done so many operations, the last one of that step.
  virtual double share(std::uint32_t rank, std::uint64_t done, std::uint32_t step) const = 0;
  /// Where an operation of a rank stands, such as `a.goal:3:5`.
  virtual std::string where(std::uint32_t rank, const goal_op& op) const = 0;
};

}  // namespace spillway
