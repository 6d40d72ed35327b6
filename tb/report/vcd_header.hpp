#pragma once
#include <functional>
#include <string>
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
};

/// Writes the VCD file `from` again as `to`, with its variables in the scopes, by the names and as wide as
/// `place` has them. Values stay as they are: those that a shorter variable gets may have zeros only in what
/// it lacks, and none in front. Returns the variables in the order in which `to` has them: by scope,
/// otherwise as before. Throws io_error.
std::vector<vcd_variable> move_vcd_variables(const std::string& from, const std::string& to,
                                             const std::function<void(vcd_variable&)>& place);

/// The variables of the header of a VCD file, in its order. Throws io_error.
std::vector<vcd_variable> vcd_variables(const std::string& path);

}  // namespace spillway
