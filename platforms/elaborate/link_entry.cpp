#include <spillway/platforms/elaborate/link_entry.hpp>

namespace spillway {

nlohmann::json link_entry::schema() const {
  nlohmann::json all = nlohmann::json::array();
  for (const link_pin& pin : pins()) all.push_back({{"name", pin.name}, {"forward", pin.forward}});
  return {{"description", description()}, {"pins", all}, {"rules", rules()}, {"keys", keys()}};
}

}  // namespace spillway
