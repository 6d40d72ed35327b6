#include <spillway/hw/kernel/wire_watcher.hpp>
#include <string>

namespace spillway {

wire_watcher::wire_watcher(wire<bool>& reset) : reset_wire_(reset) {
  part_ = &reset.domain().first_part();
  reset.domain().add_watcher(*this);
}

void wire_watcher::join_domain() {
  index_ = reset_wire_.domain().add(*this);
  watch(reset_wire_);
  join();
}

void wire_watcher::begin_simulation() {
  reset_ = place_of(reset_wire_);
  take_places();
}

void wire_watcher::step_slowly() {
  reset();
  wake_at(cycle() + 1);
}

void wire_watcher::expect_domain(const clock_domain& domain) const {
  const clock_domain& own = reset_wire_.domain();
  if (&domain != &own)
    SC_REPORT_ERROR("spillway/wire_watcher",
                    (std::string(full_name()) + ": expected wires of '" + own.name() +
                     "', as its reset is one, found one of '" + domain.name() + "'")
                        .c_str());
}

}  // namespace spillway
