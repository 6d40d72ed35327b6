#pragma once
#include <string>

#include "studies.hpp"

/// Sweeps of the small experiment, and what they print.
class a_sweep : public studies {
protected:
  process_result run_sweep(const std::string& text, const std::string& more = "--out out") {
    write("s.yaml", text);
    return spillway("sweep s.yaml " + more);
  }
};
