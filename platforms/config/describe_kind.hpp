#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace spillway {

/// Notes a kind that an experiment does not choose, so that it is listed: a kind of link. `about` has its
/// `description`, `pins` (a list of `name` and `forward`), the names of its `rules`, and which `keys` of the
/// section are for it.
void describe_kind(nlohmann::json& schema, const std::string& section, const std::string& name,
                   nlohmann::json about);

}  // namespace spillway
