// Experiments, sweeps and reproductions in YAML, held to their schemas and written again.
#include <spillway/platforms/config/document.hpp>

#include "fuzz.hpp"

namespace {

void read(const std::string& text, const nlohmann::json& schema) {
  try {
    const spillway::document file = spillway::load_document_text(text, "fuzzed.yaml", schema);
    // What is written means the same.
    if (spillway::load_document_text(file.to_yaml(), "written.yaml", schema).root != file.root) std::abort();
  } catch (const spillway::config_error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const nlohmann::json schemas[] = {spillway::experiment_base(), spillway::sweep_schema(),
                                           spillway::reproduction_schema()};
  const std::string text = text_of(data, size);
  for (const nlohmann::json& schema : schemas) read(text, schema);
  return 0;
}
