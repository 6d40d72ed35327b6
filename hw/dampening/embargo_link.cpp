#include <ostream>
#include <spillway/hw/dampening/embargo_link.hpp>

namespace spillway {

std::ostream& operator<<(std::ostream& os, const control_message& m) {
  if (!m.any()) return os << '-';
  const char* separator = "";
  const auto word = [&](bool set, const char* name) {
    if (!set) return;
    os << separator << name;
    separator = "+";
  };
  word(m.embargo, "embargo"), word(m.release, "release"), word(m.report, "report");
  os << (m.by_source ? " from " : " ") << m.terminal;
  return m.report ? os << " at " << m.place : os;
}

void sc_trace(sc_core::sc_trace_file* tf, const control_message& m, const std::string& name) {
  using sc_core::sc_trace;
  sc_trace(tf, m.terminal, name + ".terminal");
  sc_trace(tf, m.by_source, name + ".by_source");
  sc_trace(tf, m.embargo, name + ".embargo");
  sc_trace(tf, m.release, name + ".release");
  sc_trace(tf, m.report, name + ".report");
  sc_trace(tf, m.place, name + ".place");
}

}  // namespace spillway
