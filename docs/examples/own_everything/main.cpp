// The command `spillway` with an entry of our own on every axis: a file each, and a line each below.
#include <cstdlib>
#include <spillway/tb/command/command.hpp>

#include "interfaces.hpp"
#include "leaf_spine.hpp"
#include "summed_switch.hpp"
#include "traffic.hpp"

int sc_main(int argc, char** argv) {
  spillway::catalogue all = spillway::standard_catalogue();
  all.add<own::leaf_spine>();
  all.add<own::least_loaded>();
  all.add<own::summed>();
  all.add<own::newest_first>();
  all.add<own::metered>();
  all.add<own::zipf>();
  all.add<own::volley>();
  all.add<own::relay_workload>();
  return spillway::command(argc, argv, all);
}

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
