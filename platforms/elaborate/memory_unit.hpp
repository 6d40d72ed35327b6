#pragma once
#include <spillway/platforms/elaborate/terminal_unit.hpp>

namespace spillway {

/// A processor and a memory module a terminal: requests through network 0, replies through network 1.
interface_kind memory_interface();

/// The same, with feedback from the memory queues to the processors' interfaces (Farrens, Wetmore and
/// Woodruff): thresholds, announcements, bleeding and limiting.
interface_kind feedback_interface_kind();

}  // namespace spillway
