#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/topology/region_routing.hpp>

namespace spillway {

nlohmann::json minimal_routing::schema() const {
  return {{"description", "Straight to the destination, for topologies whose switches form regions."}};
}

nlohmann::json valiant_routing::schema() const {
  return {{"description",
           "By way of a region that is drawn for each packet (Valiant), for topologies whose switches form "
           "regions."}};
}

nlohmann::json ugal_routing::schema() const {
  return parse_schema(R"({
    "description": "Straight, or as valiant if that promises less by what waits where the packet enters (UGAL-L), for topologies whose switches form regions.",
    "properties": {
      "threshold": {
        "type": "integer",
        "minimum": -1000000,
        "maximum": 1000000,
        "default": 0,
        "description": "A packet goes straight unless the flits that wait for its output there, times the links of the way, are by so much more than for the other."
      },
      "progressive": {
        "type": "boolean",
        "default": false,
        "description": "A packet that goes straight decides again in each switch of its first region (progressive adaptive routing)."
      }
    }
  })");
}

}  // namespace spillway
