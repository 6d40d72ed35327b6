// The command `spillway`, on the signals kernel with a fault: the barrier of delivery rounds stops for good
// after some of them.
#include <cstdlib>
#include <spillway/hw/circuit/round_barrier.hpp>
#include <spillway/tb/command/command.hpp>

namespace {

/// The barrier below the object, or nullptr.
spillway::round_barrier* find_barrier(sc_core::sc_object* object) {
  if (auto* const barrier = dynamic_cast<spillway::round_barrier*>(object)) return barrier;
  for (sc_core::sc_object* const child : object->get_child_objects())
    if (auto* const barrier = find_barrier(child)) return barrier;
  return nullptr;
}

class saboteur : public sc_core::sc_module {
public:
  explicit saboteur(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(saboteur);
    SC_THREAD(stop_barrier);
  }

private:
  void stop_barrier() {
    for (sc_core::sc_object* const object : sc_core::sc_get_top_level_objects())
      if (spillway::round_barrier* const barrier = find_barrier(object)) {
        while (barrier->rounds() < 2) wait(10, sc_core::SC_NS);
        for (sc_core::sc_object* const process : barrier->get_child_objects())
          if (sc_core::sc_process_handle(process).valid()) sc_core::sc_process_handle(process).disable();
      }
  }
};

}  // namespace

int sc_main(int argc, char** argv) {
  const saboteur unseen("saboteur");
  return spillway::command(argc, argv);
}

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
