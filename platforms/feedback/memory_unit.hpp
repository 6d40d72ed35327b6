#pragma once
#include <spillway/platforms/elaborate/interface_entry.hpp>

namespace spillway {

/// What the terminals of the interfaces `memory` and `feedback` share: the measurement, and with feedback the
/// lines, bus and arbiter.
std::unique_ptr<platform_part> make_memory_system(const shared_context& context, bool feedback);

/// A processor, a memory module, and the interface between them and the networks; `context.shared` is theirs.
std::unique_ptr<terminal_unit> make_memory_unit(terminal_context context, bool feedback);

}  // namespace spillway
