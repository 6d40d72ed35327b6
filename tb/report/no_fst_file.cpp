#include <spillway/tb/report/fst_file.hpp>
#include <stdexcept>

namespace spillway {

bool writes_fst() { return false; }

std::vector<vcd_variable> move_vcd_to_fst(const std::string&, const std::string&, const vcd_placing&,
                                          std::uint64_t) {
  throw std::logic_error("this build writes no FST");
}

}  // namespace spillway
