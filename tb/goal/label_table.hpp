#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace spillway {

/// The labels of a rank and the numbers of their operations. Labels that count up with the operations, such
/// as l1, l2, l3, take the same memory however many there are.
class label_table {
public:
  /// False: there is such a label already.
  bool add(std::string_view label, std::uint32_t op);
  std::optional<std::uint32_t> find(std::string_view label) const;

private:
  struct run {
    std::uint32_t op = 0, count = 0;  // first operation; labels
  };
  std::optional<std::uint64_t> number_of(std::string_view label) const;

  std::string prefix_;                 // of the labels in runs
  std::map<std::uint64_t, run> runs_;  // by first number
  std::unordered_map<std::string, std::uint32_t> others_;
};

}  // namespace spillway
