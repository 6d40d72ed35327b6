#include <ostream>
#include <spillway/hw/isolation/isolation_link.hpp>

namespace spillway {

std::ostream& operator<<(std::ostream& os, const tree_message& m) {
  if (!m.any()) return os << '-';
  return os << (m.set ? m.clear ? "set+clear " : "set " : "clear ") << m.root;
}

void sc_trace(sc_core::sc_trace_file* tf, const tree_message& m, const std::string& name) {
  using sc_core::sc_trace;
  sc_trace(tf, m.root, name + ".root");
  sc_trace(tf, m.set, name + ".set");
  sc_trace(tf, m.clear, name + ".clear");
}

}  // namespace spillway
