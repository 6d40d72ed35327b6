#ifdef SPILLWAY_HAS_MIMALLOC
#include <mimalloc.h>
#endif
#include <spillway/tb/command/command.hpp>
#include <systemc>

int sc_main(int argc, char** argv) { return spillway::command(argc, argv); }

int main(int argc, char** argv) {
#ifdef SPILLWAY_HAS_MIMALLOC
  // To fetch small pages one by one takes longer than to make what lies in them. MIMALLOC_LARGE_OS_PAGES=0
  // does so.
  mi_option_set_enabled_default(mi_option_large_os_pages, true);
#endif
  // The kernel's banner would be the first line of every report.
  setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}
