#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/topology/graph_file.hpp>
#include <spillway/platforms/topology/read_graph.hpp>

namespace spillway {

nlohmann::json graph_file::schema() const {
  return parse_schema(R"({
    "description": "Any graph, from a file.",
    "required": ["path"],
    "properties": {
      "path": {
        "type": "string",
        "minLength": 1,
        "x-path": true,
        "description": "File with the graph, relative to the experiment's file."
      },
      "format": {
        "enum": ["edge_list", "graphml"],
        "description": "Format of the file; by its extension when left out."
      }
    }
  })");
}

topology graph_file::make(const topology_context& context) const {
  const std::filesystem::path file = context.folder / context.parameters.at("path").get<std::string>();
  const std::string format =
      context.parameters.value("format", file.extension() == ".graphml" ? "graphml" : "edge_list");
  return format == "graphml" ? read_graphml(file) : read_edge_list(file);
}

}  // namespace spillway
