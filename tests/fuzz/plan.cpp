// Plans of sweeps that were written before: plan.jsonl.
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/sweep/plan_folder.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz_folder folder;
  folder.write("plan.jsonl", text_of(data, size));
  try {
    const spillway::plan_folder plan(folder.path());
    for (const spillway::planned_run& run : plan.runs())
      if (run.id.find('/') != std::string::npos) std::abort();
    static_cast<void>(plan.unfinished(false));
  } catch (const spillway::config_error&) {
  } catch (const spillway::io_error&) {
  }
  return 0;
}
