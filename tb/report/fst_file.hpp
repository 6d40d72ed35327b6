#pragma once
#include <spillway/tb/report/vcd_header.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Whether this build writes FST: Verilator's writer and zlib were there when it was configured.
bool writes_fst();

/// Writes the VCD file `from` again as the FST file `to`, of the same scopes, names, values and times as
/// move_vcd_variables() would. Throws io_error; std::logic_error unless writes_fst().
std::vector<vcd_variable> move_vcd_to_fst(const std::string& from, const std::string& to,
                                          const vcd_placing& place, std::uint64_t start = 0);

}  // namespace spillway
