// Graph files: GraphML, or an edge list.
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/topology/read_graph.hpp>

#include "fuzz.hpp"

extern "C" int sc_main(int, char**) { return 0; }  // SystemC's library wants one

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz_folder folder;
  const std::string text = text_of(data, size);
  const auto file = folder.write("graph", text);
  try {
    const spillway::topology shape =
        text[0] == '<' ? spillway::read_graphml(file) : spillway::read_edge_list(file);
    try {
      spillway::check_graph(shape);
    } catch (const std::invalid_argument&) {
    }
  } catch (const spillway::config_error&) {
  }
  return 0;
}
