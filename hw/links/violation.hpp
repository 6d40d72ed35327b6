#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace spillway {

/// A rule of a link's protocol that was broken.
struct violation {
  std::string rule;         ///< name of the rule, such as `PL1`
  std::string link;         ///< hierarchical name of the link
  std::uint64_t cycle = 0;  ///< clock edge at which it was seen
  std::string message;      ///< all of it in a line: rule, link, cycle, time and values
};

/// What to do about a violation. Empty: SC_REPORT_ERROR with the message type `spillway/<rule>`. Where
/// several threads step a clock domain, a handler is called by any of them, by several at once too, and hands
/// on what it is told by an edge_log; an error is reported after the edge, by one.
using violation_handler = std::function<void(const violation&)>;

/// Hands `v` to `handler`, or reports it when that is empty.
void report_violation(const violation_handler& handler, const violation& v);
/// The same, with a message made of these and the time. `what`: what was seen, with its values.
void report_violation(const violation_handler& handler, const char* rule, const std::string& link,
                      std::uint64_t cycle, const std::string& what);

}  // namespace spillway
