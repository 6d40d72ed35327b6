#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/theory/theory.hpp>

namespace spillway::theory {
namespace {

/// Edit distance, for the nearest known name.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

/// `a, b or c; did you mean b?`
template <class Named>
std::string known_names(const std::vector<Named>& all, const std::string& found) {
  std::string list, nearest;
  std::size_t least = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == all.size() ? " or " : ", ") + all[i].name;
    const std::size_t d = distance(found, all[i].name);
    if (i == 0 || d < least) least = d, nearest = all[i].name;
  }
  return fmt::format("expected {}; did you mean \"{}\"?", list, nearest);
}

std::string expectation(const range& r) {
  if (r.type == range::kind::word) return fmt::format("expected {}", fmt::join(r.words, " or "));
  return fmt::format("expected a {}number from {} to {}", r.type == range::kind::whole ? "whole " : "",
                     r.least, r.most);
}

/// The value written in `text`; nothing when it is not one of the range.
std::optional<value> parse(const range& r, const std::string& text) {
  const char* const end = text.data() + text.size();
  if (r.type == range::kind::word) {
    const bool known = std::find(r.words.begin(), r.words.end(), text) != r.words.end();
    return known ? std::optional<value>(text) : std::nullopt;
  }
  double real = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, real);
  if (error != std::errc() || rest != end || !(real >= r.least && real <= r.most)) return std::nullopt;
  if (r.type == range::kind::real) return real;
  // The bounds of whole parameters are far below 2^53, where a double holds every whole number; 1e6 is one
  // too.
  if (real != std::floor(real)) return std::nullopt;
  return static_cast<std::int64_t>(real);
}

void set_argument(const model& m, const std::string& text, arguments& given) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw config_error(fmt::format("theory {}: found \"{}\", expected key=value", m.name, text));
  }
  const std::string key = text.substr(0, equals), written = text.substr(equals + 1);
  const auto p =
      std::find_if(m.parameters.begin(), m.parameters.end(), [&](const auto& q) { return q.name == key; });
  if (p == m.parameters.end()) {
    throw config_error(
        fmt::format("theory {}: found unknown key \"{}\", {}", m.name, key, known_names(m.parameters, key)));
  }
  if (given.has(key))
    throw config_error(fmt::format("theory {}: found {} twice, expected it once", m.name, key));
  const auto parsed = parse(p->allowed, written);
  if (!parsed) {
    throw config_error(
        fmt::format("theory {}: {}: found \"{}\", {}", m.name, key, written, expectation(p->allowed)));
  }
  given.set(key, *parsed);
}

}  // namespace

nlohmann::json arguments::to_json() const {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [name, v] : values_) std::visit([&, &n = name](const auto& held) { all[n] = held; }, v);
  return all;
}

nlohmann::json evaluate_theory(const std::string& name, const std::vector<std::string>& key_value) {
  const auto models = theory_models();
  const auto m = std::find_if(models.begin(), models.end(),
                              [&](const auto& candidate) { return candidate.name == name; });
  if (m == models.end()) {
    throw config_error(
        fmt::format("theory: found unknown model \"{}\", {}", name, known_names(models, name)));
  }
  arguments given;
  for (const auto& text : key_value) set_argument(*m, text, given);
  for (const auto& p : m->parameters) {
    if (given.has(p.name)) continue;
    if (!p.default_value) {
      throw config_error(
          fmt::format("theory {}: {}: found no value, {}", name, p.name, expectation(p.allowed)));
    }
    given.set(p.name, *p.default_value);
  }
  nlohmann::json result = m->evaluate(given);
  result["model"] = name;
  result["parameters"] = given.to_json();
  return result;
}

}  // namespace spillway::theory
