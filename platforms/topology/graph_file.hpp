#pragma once
#include <spillway/platforms/topology/topology_entry.hpp>

namespace spillway {

/// Any graph, from a file: see read_edge_list() and read_graphml(). Its size is known once it is read.
class graph_file final : public topology_entry {
public:
  graph_file() : topology_entry("file") {}

  nlohmann::json schema() const override;
  topology make(const topology_context& context) const override;
};

}  // namespace spillway
