// GOAL files: the pass over the whole file, and every rank read on from its own place.
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/goal/goal_file.hpp>

#include "fuzz.hpp"

extern "C" int sc_main(int, char**) { return 0; }  // SystemC's library wants one

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz_folder folder;
  try {
    const spillway::goal_file file(folder.write("t.goal", text_of(data, size)), 64,
                                   "as there are 64 terminals");
    std::uint64_t operations = 0;
    for (std::uint32_t rank = 0; rank < file.ranks(); ++rank) {
      const auto program = file.open(rank);
      for (spillway::goal_op op; program->next(op); op = {}) {
        ++operations;
        if (op.kind != spillway::goal_kind::calc && op.peer >= file.ranks() &&
            op.peer != spillway::goal_op::any)
          std::abort();
      }
    }
    // What was accepted is read again as it was.
    if (operations != file.operations()) std::abort();
  } catch (const spillway::config_error&) {
  }
  return 0;
}
