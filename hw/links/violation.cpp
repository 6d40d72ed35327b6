#include <spillway/hw/kernel/domain_part.hpp>
#include <spillway/hw/links/violation.hpp>
#include <sstream>
#include <systemc>

namespace spillway {

void report_violation(const violation_handler& handler, const violation& v) {
  if (handler) return handler(v);
  const std::string type = "spillway/" + v.rule;
  if (domain_part* const part = domain_part::here())
    part->report_after_edge(type, v.message);
  else
    SC_REPORT_ERROR(type.c_str(), v.message.c_str());
}

void report_violation(const violation_handler& handler, const char* rule, const std::string& link,
                      std::uint64_t cycle, const std::string& what) {
  std::ostringstream message;
  message << rule << " broken on " << link << " at cycle " << cycle << " (" << sc_core::sc_time_stamp()
          << "): " << what;
  report_violation(handler, {rule, link, cycle, message.str()});
}

}  // namespace spillway
