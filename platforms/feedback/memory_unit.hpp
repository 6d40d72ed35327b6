#pragma once
#include <spillway/platforms/catalogue/catalogue.hpp>
#include <spillway/platforms/elaborate/interface_entry.hpp>
#include <spillway/platforms/elaborate/memory_front_entry.hpp>

namespace spillway {

/// What the terminals of the interfaces `memory` and `feedback` share: the measurement, and with feedback the
/// lines, bus and arbiter.
std::unique_ptr<platform_part> make_memory_system(const shared_context& context, bool feedback);

/// A processor, a memory module, and the interface between them and the networks; `context.shared` is theirs.
/// `fronts`: from which what serves the module's requests is chosen.
std::unique_ptr<terminal_unit> make_memory_unit(terminal_context context, bool feedback,
                                                const axis<memory_front_entry>& fronts);

}  // namespace spillway
