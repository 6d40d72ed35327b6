#pragma once
#include <functional>
#include <map>
#include <memory>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/link.hpp>
#include <spillway/hw/links/violation.hpp>
#include <string>

namespace spillway {

/// Makes the checker of one link and binds it to the wires; clock and reset are left to the caller.
using link_checker_maker = std::function<std::unique_ptr<clocked>(network_link&, const violation_handler&)>;

/// Link kind to checker: every kind of ours. A user's program adds its own.
std::map<std::string, link_checker_maker> standard_checkers();

}  // namespace spillway
