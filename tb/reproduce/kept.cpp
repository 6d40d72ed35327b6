#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/tb/reproduce/kept.hpp>

namespace spillway {

namespace {

using nlohmann::json;

/// The value at a place of the file. Throws config_error if it is missing or of another type.
const json& member(const std::string& file, const json& root, const std::string& place, json::value_t type) {
  const json::json_pointer at(place);
  if (root.contains(at) && root.at(at).type() == type) return root.at(at);
  throw config_error(fmt::format("{}: {}: found {}, expected {}", file, place.substr(1),
                                 root.contains(at) ? root.at(at).type_name() : "nothing",
                                 json(type).type_name()));
}

outcome outcome_of(const std::string& file, const std::string& words) {
  for (const outcome o :
       {outcome::holds, outcome::explained, outcome::undecided, outcome::unjudged, outcome::fails})
    if (words == to_text(o)) return o;
  throw config_error(
      fmt::format("{}: found outcome '{}', expected one that `reproduce` writes", file, words));
}

}  // namespace

std::optional<outcome> kept_verdicts::of(const judged_claim& claim) const {
  const auto found = claims.find(claim.value);
  return found == claims.end() ? std::nullopt : std::optional(found->second);
}

std::optional<kept_verdicts> read_kept(const std::filesystem::path& path, const json& depends) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const std::string file = path.string();
  const json root = read_json(read_file(path), file);
  using type = json::value_t;
  kept_verdicts kept;
  kept.date = member(file, root, "/date", type::string);
  kept.stale = member(file, root, "/depends", type::object) != depends;
  const json& claims = member(file, root, "/claims", type::array);
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const std::string at = fmt::format("/claims/{}", i);
    const std::string value = member(file, root, at + "/value", type::string);
    kept.claims[value] = outcome_of(file, member(file, root, at + "/outcome", type::string));
  }
  return kept;
}

}  // namespace spillway
