#pragma once
#include <spillway/platforms/catalogue/terminal_unit.hpp>

namespace spillway {

/// A processor and a memory module a terminal: requests through network 0, replies through another. With the
/// key `nifdy`, requests pass a NIFDY unit at each end, whose acknowledgements have a network too.
interface_kind memory_interface();

/// The same, with feedback from the memory queues to the processors' interfaces (Farrens, Wetmore and
/// Woodruff): thresholds, announcements, bleeding and limiting.
interface_kind feedback_interface_kind();

}  // namespace spillway
