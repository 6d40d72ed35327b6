#include <spillway/hw/kernel/clock_scope.hpp>

namespace spillway {

namespace {

constexpr const char* top_level_name = "spillway_top_level_scope";

const char* checked_name() {
  if (sc_core::sc_get_current_object() || sc_core::sc_find_object(top_level_name))
    SC_REPORT_ERROR("spillway/clock_scope",
                    "a top_level_scope is made outside of all modules, and one at a time");
  return top_level_name;
}

}  // namespace

top_level_scope::top_level_scope(clock_domain* domain) : sc_object(checked_name()), domain_(domain) {}

clock_domain* domain_here() {
  for (const sc_core::sc_object* around = sc_core::sc_get_current_object(); around;
       around = around->get_parent_object())
    if (const auto* const scope = dynamic_cast<const clock_scope*>(around)) return scope->domain();
  const auto* const top = dynamic_cast<const clock_scope*>(sc_core::sc_find_object(top_level_name));
  return top ? top->domain() : nullptr;
}

}  // namespace spillway
