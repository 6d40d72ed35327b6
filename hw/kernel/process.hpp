#pragma once
#include <systemc>

// SystemC 2.3 wants it for hand-written constructors, 3.0 deprecates it.
#if IEEE_1666_SYSTEMC >= 202301L
#define SPILLWAY_HAS_PROCESS(module)
#else
#define SPILLWAY_HAS_PROCESS(module) SC_HAS_PROCESS(module)
#endif
