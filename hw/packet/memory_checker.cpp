#include <spillway/hw/packet/memory_checker.hpp>
#include <string>
#include <utility>

namespace spillway {

std::unique_ptr<clocked> memory_link::make_checker(const violation_handler& handler) {
  packet_checker_config config;
  config.link = path();
  auto checker =
      std::make_unique<memory_checker>(checker_name().c_str(), std::move(config), handler, unshown_);
  connect(*checker), connect_length(checker->length);
  return checker;
}

memory_checker::memory_checker(const sc_core::sc_module_name& name, packet_checker_config config,
                               violation_handler handler, unsigned unshown)
    : packet_checker(name, std::move(config), std::move(handler)), unshown_(unshown) {}

void memory_checker::reset() {
  packet_checker::reset();
  least_ = 0;
  reported_ = false;
}

void memory_checker::tick() {
  const unsigned found = length.read();
  const bool wrong = found < least_ || (valid.read() ? found == 0 : found > unshown_);
  if (wrong && !reported_)
    fail("FL1", "the queue says that it holds " + std::to_string(found) + " flits, " +
                    (found < least_ ? std::to_string(least_) + " or more were left"
                                    : std::string("but valid is ") + (valid.read() ? "high" : "low")));
  reported_ = wrong;
  const bool leaves = crosses();
  const unsigned least = found > leaves ? found - leaves : 0;
  if (least != least_) wake_at(cycle() + 1);
  least_ = least;
  packet_checker::tick();
}

}  // namespace spillway
