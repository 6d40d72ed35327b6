#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/topology/region_routing.hpp>

namespace spillway {

nlohmann::json minimal_routing::schema() const {
  return {
      {"description",
       "Straight to the destination, for the topologies dragonfly (free of deadlock with 2 or more virtual "
       "channels) and hyperx."}};
}

nlohmann::json valiant_routing::schema() const {
  return {
      {"description",
       "By way of a group of switches (dragonfly) or a switch (hyperx) drawn for each packet (Valiant); free "
       "of deadlock with 3 or more virtual channels, hyperx with 2."}};
}

nlohmann::json ugal_routing::schema() const {
  return parse_schema(R"({
    "description": "Straight, or as valiant if that promises less by what waits where the packet enters (UGAL-L), for the topologies dragonfly and hyperx; free of deadlock with 3 or more virtual channels, hyperx with 2.",
    "properties": {
      "threshold": {
        "type": "integer",
        "minimum": -1000000,
        "maximum": 1000000,
        "default": 0,
        "description": "A packet goes straight unless the flits that wait for its output there, times the links of the way, are by so much more than for the other."
      }
    }
  })");
}

}  // namespace spillway
