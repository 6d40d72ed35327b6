// Results read back: result.json, series.csv and histogram.csv, with a form feed between them.
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/read_results.hpp>

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz_folder folder;
  std::string text = text_of(data, size);
  for (const char* name : {"result.json", "series.csv", "histogram.csv"}) {
    const std::size_t end = std::min(text.find('\f'), text.size());
    folder.write(name, text.substr(0, end));
    text.erase(0, end + 1);
  }
  try {
    static_cast<void>(spillway::read_results(folder.path().string()));
  } catch (const spillway::io_error&) {
  } catch (const spillway::config_error&) {
  }
  return 0;
}
