#include <spillway/hw/links/violation.hpp>
#include <sstream>
#include <systemc>

namespace spillway {

void report_violation(const violation_handler& handler, const violation& v) {
  if (handler)
    handler(v);
  else
    SC_REPORT_ERROR(("spillway/" + v.rule).c_str(), v.message.c_str());
}

void report_violation(const violation_handler& handler, const char* rule, const std::string& link,
                      std::uint64_t cycle, const std::string& what) {
  std::ostringstream message;
  message << rule << " broken on " << link << " at cycle " << cycle << " (" << sc_core::sc_time_stamp()
          << "): " << what;
  report_violation(handler, {rule, link, cycle, message.str()});
}

}  // namespace spillway
