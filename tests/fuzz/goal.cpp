// GOAL files, text and binary: the pass over the whole file, and every rank read on from its own place.
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/goal/binary_goal.hpp>
#include <spillway/tb/goal/goal_file.hpp>

#include "fuzz.hpp"

extern "C" int sc_main(int, char**) { return 0; }  // SystemC's library wants one

namespace {

template <class File>
void read(const std::filesystem::path& path) {
  const File file(path, 64, "as there are 64 terminals");
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
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz_folder folder;
  try {
    const std::filesystem::path path = folder.write("t.goal", text_of(data, size));
    if (spillway::binary_goal::is_one(path))
      read<spillway::binary_goal>(path);
    else
      read<spillway::goal_file>(path);
  } catch (const spillway::config_error&) {
  }
  return 0;
}
