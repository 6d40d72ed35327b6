#include <fmt/format.h>

#include <spillway/tb/traffic/patterns/any_terminal.hpp>

namespace spillway {

std::vector<bool> spared_terminals(const traffic_context& c) {
  if (!c.section().at("spare_stopped")) return {};
  if (c.stopped.size() + 1 >= c.terminals)
    c.fail("spare_stopped", fmt::format("{} of {} terminals have stopped: nowhere is left to send to",
                                        c.stopped.size(), c.terminals));
  std::vector<bool> spared(c.terminals);
  for (const std::uint32_t t : c.stopped) spared[t] = true;
  return spared;
}

}  // namespace spillway
