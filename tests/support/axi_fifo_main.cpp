// The command `spillway` with a stage of a user's own: AXI4-Stream FIFOs, right or broken.
#include <cstdlib>
#include <spillway/tb/command/command.hpp>

#include "axi_fifo_stage.hpp"

int sc_main(int argc, char** argv) {
  spillway::catalogue all = spillway::standard_catalogue();
  all.add<spillway::testing_support::axi_fifo_entry>();
  return spillway::command(argc, argv, all);
}

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
