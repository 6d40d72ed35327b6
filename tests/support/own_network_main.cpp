// The command `spillway` with a topology, a routing, arbiters and an admission of a user's own.
#include <cstdlib>
#include <spillway/tb/command/command.hpp>
#include <support/counted_switch.hpp>
#include <support/own_buffers.hpp>
#include <support/own_network.hpp>

int sc_main(int argc, char** argv) {
  using namespace spillway;
  catalogue all = standard_catalogue();
  all.add<testing_support::star>();
  all.add<testing_support::spokes>();
  all.add<testing_support::trapped>();
  all.add<testing_support::hot_apart>(all);
  all.add<testing_support::favourite_entry>();
  all.add<testing_support::turns_entry>();
  all.add<testing_support::threshold_entry>();
  all.add<testing_support::counted_entry>();
  all.add<testing_support::counted_link_entry>();
  return command(argc, argv, all);
}

int main(int argc, char** argv) {
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
