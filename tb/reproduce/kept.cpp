#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

std::string without_blanks(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c); }),
             text.end());
  return text;
}

/// What was judged for `bounds`: its relations, each of which stands once for each configuration.
std::string bounds_of(const std::string& file, const json& root, const std::string& at) {
  if (!root.contains(json::json_pointer(at))) return "";
  const json& rows = member(file, root, at, json::value_t::array);
  std::string text, before;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string one = member(file, root, fmt::format("{}/{}/comparison", at, i), json::value_t::string);
    if (one != before) text += (text.empty() ? "" : "and") + one;
    before = one;
  }
  return without_blanks(text);
}

}  // namespace

std::optional<outcome> kept_verdicts::of(const std::string& value, const std::string& bounds) const {
  const auto found = claims.find(value);
  if (found == claims.end() || found->second.bounds != without_blanks(bounds)) return std::nullopt;
  return found->second.result;
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
    kept.claims[value] = {outcome_of(file, member(file, root, at + "/outcome", type::string)),
                          bounds_of(file, root, at + "/bounds")};
  }
  return kept;
}

}  // namespace spillway
