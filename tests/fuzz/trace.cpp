// Traces of packets, and other tables of numbers.
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/traffic/patterns/trace.hpp>

#include "fuzz.hpp"

extern "C" int sc_main(int, char**) { return 0; }  // SystemC's library wants one

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz_folder folder;
  static const spillway::document file({{"traffic", {{{"file", "trace.csv"}}}}}, {}, folder.path(), {});
  static const std::vector<std::uint32_t> none;
  folder.write("trace.csv", text_of(data, size));
  try {
    const spillway::trace_entry entry;
    const auto made = entry.make({file, nlohmann::json::json_pointer("/traffic/0"), 8, 1, none});
    if (made->longest_packet() > 65535) std::abort();
  } catch (const spillway::config_error&) {
  }
  return 0;
}
