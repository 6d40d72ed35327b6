#include <ostream>
#include <spillway/hw/feedback/admission_link.hpp>

namespace spillway {

std::ostream& operator<<(std::ostream& os, const admission_wish& w) {
  if (w.count == 0) return os << '-';
  os << w.first;
  return w.count == 1 ? os : os << ' ' << w.second;
}

void sc_trace(sc_core::sc_trace_file* tf, const admission_wish& w, const std::string& name) {
  using sc_core::sc_trace;
  sc_trace(tf, w.count, name + ".count");
  sc_trace(tf, w.first, name + ".first");
  sc_trace(tf, w.second, name + ".second");
}

}  // namespace spillway
