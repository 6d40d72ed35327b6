#pragma once
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// A variable that the header of a VCD file declares.
struct vcd_variable {
  std::vector<std::string> scopes;  ///< around it
  std::string name;                 ///< without its range
  unsigned width = 1;               ///< bits
  std::string kind, code;           ///< as the file has them

  /// As GTKWave has it: `SystemC.net.sw_0.out_flit[31:0]`.
  std::string full_name() const;
  /// `[31:0]`; none of one bit.
  std::string range() const;
};

/// A scope with what is in it, in the order in which it came; the outermost has no name.
struct vcd_scope {
  std::string name;
  std::vector<vcd_variable> variables;
  std::vector<std::unique_ptr<vcd_scope>> scopes;
};

/// Where a variable is to be, by what name and how wide: see move_vcd_variables().
using vcd_placing = std::function<void(vcd_variable&)>;

/// Reads up to the end of the header of a VCD file, and arranges its variables as `place` has them. What
/// stands before the first scope goes to `before`. Throws io_error where the file cannot be opened.
std::ifstream open_vcd(const std::string& path, const vcd_placing& place, std::string& before,
                       vcd_scope& arranged);

/// Writes the VCD file `from` again as `to`, with its variables in the scopes, by the names and as wide as
/// `place` has them. Values stay as they are: those that a shorter variable gets may have zeros only in what
/// it lacks, and none in front. Returns the variables in the order in which `to` has them: by scope,
/// otherwise as before. Throws io_error.
/// @param start of the first values, which `from` has without a time, in its units
std::vector<vcd_variable> move_vcd_variables(const std::string& from, const std::string& to,
                                             const vcd_placing& place, std::uint64_t start = 0);

/// The variables of the header of a VCD file, in its order. Throws io_error.
std::vector<vcd_variable> vcd_variables(const std::string& path);

}  // namespace spillway
