#include <spillway/tb/command/command.hpp>
#include <systemc>

int sc_main(int argc, char** argv) { return spillway::command(argc, argv); }

int main(int argc, char** argv) {
  // The kernel's banner would be the first line of every report.
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
