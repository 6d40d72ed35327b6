#include <fmt/format.h>

#include <algorithm>
#include <spillway/tb/traffic/patterns/any_terminal.hpp>

namespace spillway {

std::vector<bool> spared_terminals(const traffic_context& c) {
  const std::vector<std::uint32_t> listed = c.terminal_list("spare");
  const bool also_stopped = c.section().at("spare_stopped");
  if (listed.empty() && !also_stopped) return {};
  std::vector<bool> spared(c.terminals);
  for (const std::uint32_t t : listed) spared[t] = true;
  if (also_stopped)
    for (const std::uint32_t t : c.stopped) spared[t] = true;
  const auto all = std::count(spared.begin(), spared.end(), true);
  if (static_cast<std::uint32_t>(all) + 1 >= c.terminals)
    c.fail(also_stopped ? "spare_stopped" : "spare",
           fmt::format("{} of {} terminals {}: nowhere is left to send to", all, c.terminals,
                       listed.empty() ? "have stopped" : "are spared"));
  return spared;
}

}  // namespace spillway
