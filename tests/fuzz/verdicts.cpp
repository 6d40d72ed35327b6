// Verdicts kept of runs at full size: verdicts.json.
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/reproduce/kept.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz_folder folder;
  const auto file = folder.write("verdicts.json", text_of(data, size));
  try {
    static_cast<void>(spillway::read_kept(file, nlohmann::json::object()));
  } catch (const spillway::config_error&) {
  }
  return 0;
}
