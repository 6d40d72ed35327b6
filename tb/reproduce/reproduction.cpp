#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <spillway/platforms/config/schema_view.hpp>
#include <spillway/platforms/config/yaml_reader.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/reproduce/outline.hpp>
#include <spillway/tb/reproduce/reproduction.hpp>
#include <spillway/tb/sweep/sweep_pictures.hpp>
#include <spillway/tb/theory/theory.hpp>

namespace spillway {

namespace {

using nlohmann::json;
using pointer = json::json_pointer;

bool fits(const configuration& c, const std::string& selector) {
  const auto equals = selector.find('=');
  if (equals == std::string::npos) return c.name == selector;
  const std::string written = selector.substr(0, equals), value = selector.substr(equals + 1);
  if (written.empty() || value.empty())
    throw expression_error(fmt::format("found '{}', expected path=value", selector));
  const json wanted = read_yaml(value, selector, true).root;
  try {
    const std::string path = setting_named(written, c.settings);
    return !path.empty() && json(c.settings.at(path)) == wanted;
  } catch (const config_error& error) {
    throw expression_error(error.what());
  }
}

constexpr const char* cycle_selector = "cycle=";
constexpr const char* level_selector = "at_least=";
constexpr const char* series_prefix = "series.";
constexpr const char* until_prefix = "until.";
constexpr const char* row_word = "ROW";

bool starts_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

std::optional<std::uint64_t> whole(const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional<std::uint64_t>(value) : std::nullopt;
}

bool chooses_no_runs(const std::string& selector) {
  return starts_with(selector, cycle_selector) || starts_with(selector, level_selector);
}

/// What begins so in the brackets of a reference, of which only numbers with one of the prefixes have any.
std::optional<std::string> told(const reference& r, const char* selector,
                                const std::vector<std::string>& prefixes) {
  std::optional<std::string> found;
  for (const std::string& s : r.selectors) {
    if (!starts_with(s, selector)) continue;
    if (std::none_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& prefix) { return starts_with(r.key, prefix); }))
      throw expression_error(fmt::format("found '{}' for {}, expected it for {}COLUMN", s, r.key,
                                         fmt::join(prefixes, "COLUMN or ")));
    if (found) throw expression_error(fmt::format("found '{}' after '{}', expected one of them", s, *found));
    found = s;
  }
  return found;
}

/// What a reference to `until` asks for.
double level_of(const reference& r) {
  const std::optional<std::string> s = told(r, level_selector, {until_prefix});
  if (!starts_with(r.key, until_prefix)) return 0;
  if (!s)
    throw expression_error(fmt::format("{} has no level, expected at_least=NUMBER in its brackets", r.key));
  const std::string text = s->substr(std::strlen(level_selector));
  char* end = nullptr;
  const double level = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == 0 && std::isfinite(level)) return level;
  throw expression_error(fmt::format("found '{}', expected at_least=NUMBER", *s));
}

/// Cycles (first, second] that a reference to a series asks for; all without a selector.
std::pair<double, double> cycles_of(const reference& r) {
  if (const std::optional<std::string> s = told(r, cycle_selector, {series_prefix, until_prefix})) {
    const std::size_t start = std::strlen(cycle_selector), dots = std::min(s->find(".."), s->size());
    const auto from = whole(s->substr(start, dots - start)),
               to = whole(s->substr(std::min(dots + 2, s->size())));
    if (!from || !to || *from >= *to)
      throw expression_error(fmt::format("found '{}', expected cycle=A..B with A before B", *s));
    return {static_cast<double>(*from), static_cast<double>(*to)};
  }
  if (starts_with(r.key, until_prefix))
    throw expression_error(fmt::format("{} has no beginning, expected cycle=A..B in its brackets", r.key));
  return {-1, std::numeric_limits<double>::infinity()};
}

std::string with_hint(const std::string& word, const std::vector<std::string>& words) {
  const std::string near = schema_detail::nearest(word, words);
  return near.empty() ? fmt::format("expected one of {}", fmt::join(words, ", "))
                      : fmt::format("did you mean '{}'?", near);
}

}  // namespace

const char* to_text(outcome o) {
  switch (o) {
    case outcome::holds:
      return "holds";
    case outcome::explained:
      return "does not hold, explained";
    case outcome::undecided:
      return "undecided";
    case outcome::unjudged:
      return "needs full size";
    case outcome::fails:
      break;
  }
  return "does not hold";
}

outcome judged_claim::comes_to() const {
  if (skipped) return outcome::unjudged;
  if (result == verdict::noise) return outcome::undecided;
  if (known.empty()) return result == verdict::holds ? outcome::holds : outcome::fails;
  if (result != verdict::fails) return outcome::fails;
  const verdict within = overall(found);
  if (within == verdict::noise) return outcome::undecided;
  return within == verdict::holds ? outcome::explained : outcome::fails;
}

bool judged_claim::met(bool quick) const {
  const outcome o = comes_to();
  return o != outcome::fails && (quick || o != outcome::undecided);
}

std::vector<configuration> select_rows(const std::vector<configuration>& rows,
                                       const std::vector<std::string>& selectors) {
  std::vector<configuration> left;
  std::vector<std::string> groups;
  for (const configuration& c : rows) {
    if (std::find(groups.begin(), groups.end(), c.group) == groups.end()) groups.push_back(c.group);
    if (c.group == selectors.front()) left.push_back(c);
  }
  if (left.empty())
    throw expression_error(
        fmt::format("no runs '{}', {}", selectors.front(), with_hint(selectors.front(), groups)));
  for (std::size_t i = 1; i < selectors.size(); ++i) {
    if (chooses_no_runs(selectors[i])) continue;
    const auto end = std::remove_if(left.begin(), left.end(),
                                    [&](const configuration& c) { return !fits(c, selectors[i]); });
    if (end == left.begin())
      throw expression_error(
          fmt::format("no runs of '{}' are '{}', expected a case or path=value of its grid",
                      selectors.front(), selectors[i]));
    left.erase(end, left.end());
  }
  return left;
}

std::string name_of(const configuration& c) {
  std::string text = c.group;
  if (!c.name.empty()) text += ", " + c.name;
  for (const auto& [path, value] : c.settings.items())
    text += fmt::format(", {}={}", path, value.is_string() ? value.get<std::string>() : value.dump());
  return text;
}

json evaluate_formula(const std::string& model, const json& arguments) {
  std::vector<std::string> words;
  for (const auto& [key, value] : arguments.items())
    words.push_back(key + '=' + (value.is_string() ? value.get<std::string>() : value.dump()));
  return evaluate_theory(model, words);
}

reproduction::reproduction(document file, const json& experiments, const std::filesystem::path& runs_folder,
                           bool quick)
    : file_(std::move(file)), quick_(quick) {
  for (const expansion& what : groups_of(file_, quick))
    for (planned_run& r : expand(file_, what, experiments, runs_folder)) runs_.push_back(std::move(r));
  evaluate_formulas();
  check_claims();
}

void reproduction::evaluate_formulas() {
  for (const auto& [name, formula] : file_.root.at("theory").items()) {
    const pointer at = pointer("/theory") / name;
    json arguments = formula.at("arguments");
    if (quick_) arguments.update(formula.at("quick"));
    try {
      formulas_[name] = evaluate_formula(formula.at("model"), arguments);
    } catch (const config_error& error) {
      file_.fail(at, error.what());
    }
  }
}

quantity reproduction::formula(const std::string& name) const {
  const auto dot = name.find('.');
  const auto found = formulas_.find(name.substr(0, dot));
  if (found == formulas_.end())
    throw expression_error(
        fmt::format("found '{}', expected a formula under 'theory' or, with the group, {}[...]", name, name));
  const std::string key = dot == std::string::npos ? "" : name.substr(dot + 1);
  std::vector<std::string> keys;
  for (const auto& [known, value] : found->second.items())
    if (value.is_number()) keys.push_back(known);
  if (std::find(keys.begin(), keys.end(), key) == keys.end())
    throw expression_error(fmt::format("{} has no number '{}', {}", found->first, key, with_hint(key, keys)));
  return {{{found->second.at(key).get<double>()}, {}}};
}

std::vector<comparison> reproduction::judge_at(std::size_t claim, const char* key,
                                               const lookup& measured) const {
  const pointer at = pointer("/claims") / claim / key;
  try {
    return judge(file_.root.at(at),
                 [&](const reference& r) { return r.selectors.empty() ? formula(r.key) : measured(r); });
  } catch (const expression_error& error) {
    file_.fail(at, error.what());
  }
}

estimate reproduction::cell(std::size_t table, std::size_t row, std::size_t column,
                            const lookup& measured) const {
  const pointer at = pointer("/tables") / table, value_at = at / "columns" / column / "value";
  std::string value = file_.root.at(value_at);
  const std::string wanted = file_.root.at(at / "rows" / row / "row");
  for (std::size_t i = 0; (i = value.find(row_word, i)) != std::string::npos; i += wanted.size())
    value.replace(i, std::strlen(row_word), wanted);
  try {
    const quantity found = evaluate(
        value, [&](const reference& r) { return r.selectors.empty() ? formula(r.key) : measured(r); });
    if (found.size() == 1) return t_interval(found.front().values);
    throw expression_error(
        fmt::format("found {} configurations for '{}', expected one a cell", found.size(), value));
  } catch (const expression_error& error) {
    file_.fail(value_at, error.what());
  }
}

void reproduction::check_claims() const {
  const std::vector<configuration> rows = configurations(runs_);
  const lookup planned = [&](const reference& r) {
    cycles_of(r);
    level_of(r);
    quantity value;
    for (const configuration& c : select_rows(rows, r.selectors))
      value.push_back({std::vector<double>(c.runs.size(), std::nan("")), {}, true});
    return value;
  };
  for (std::size_t i = 0; i < file_.root.at("claims").size(); ++i) {
    const json& claim = file_.root.at("claims")[i];
    if (claim.contains("known") != claim.contains("bounds"))
      file_.fail(pointer("/claims") / i, fmt::format("found '{}' without '{}', expected both",
                                                     claim.contains("known") ? "known" : "bounds",
                                                     claim.contains("known") ? "bounds" : "known"));
    if (quick_ && claim.at("full")) continue;
    judge_at(i, "value", planned);
    if (claim.contains("bounds")) judge_at(i, "bounds", planned);
  }
  if (!quick_) check_tables(planned);
}

void reproduction::check_tables(const lookup& planned) const {
  const json& tables = file_.root.at("tables");
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (std::size_t r = 0; r < tables[t].at("rows").size(); ++r)
      for (std::size_t c = 0; c < tables[t].at("columns").size(); ++c) cell(t, r, c, planned);
}

namespace {

quantity measured(const reference& r, const result_table& results) {
  const bool mean = starts_with(r.key, series_prefix), until = starts_with(r.key, until_prefix);
  if (!mean && !until && !results.keys().empty() &&
      std::find(results.keys().begin(), results.keys().end(), r.key) == results.keys().end())
    throw expression_error(
        fmt::format("no result has a number '{}', {}", r.key, with_hint(r.key, results.keys())));
  const auto [from, to] = cycles_of(r);
  const double level = level_of(r);
  const std::string column = r.key.substr(r.key.find('.') + 1);
  quantity value;
  try {
    for (const configuration& one : select_rows(results.rows(), r.selectors))
      value.push_back({mean    ? results.series_means(one, column, from, to)
                       : until ? results.series_until(one, column, from, to, level)
                               : results.values(one, r.key),
                       {name_of(one)},
                       true});
  } catch (const io_error& error) {
    throw expression_error(error.what());
  } catch (const config_error& error) {
    throw expression_error(error.what());
  }
  return value;
}

}  // namespace

json reproduction::pictures() const {
  json list = file_.root.at("pictures");
  for (json& one : list)
    for (json& curve : one.at("theory"))
      if (quick_) curve["arguments"].update(curve.at("quick"));
  return list;
}

std::vector<judged_claim> reproduction::judge_claims(const result_table& results) const {
  const json& list = file_.root.at("claims");
  const lookup look_up = [&](const reference& r) { return measured(r, results); };
  std::vector<judged_claim> claims;
  for (std::size_t i = 0; i < list.size(); ++i) {
    judged_claim c;
    c.words = list[i].at("claim");
    c.value = list[i].at("value");
    c.known = list[i].value("known", "");
    c.bounds = list[i].value("bounds", "");
    c.skipped = quick_ && list[i].at("full").get<bool>();
    if (!c.skipped) {
      c.comparisons = judge_at(i, "value", look_up);
      c.result = overall(c.comparisons);
      if (!c.bounds.empty()) c.found = judge_at(i, "bounds", look_up);
    }
    claims.push_back(std::move(c));
  }
  return claims;
}

std::vector<measured_table> reproduction::measure_tables(const result_table& results) const {
  const lookup look_up = [&](const reference& r) { return measured(r, results); };
  std::vector<measured_table> tables;
  for (const json& one : file_.root.at("tables")) {
    measured_table t{one.at("name"), one.at("columns"), one.at("corner"), {}};
    for (std::size_t r = 0; r < one.at("rows").size(); ++r) {
      t.rows.push_back({one.at("rows")[r].at("title"), {}});
      for (std::size_t c = 0; c < t.columns.size(); ++c) try {
          t.rows.back().cells.push_back(cell(tables.size(), r, c, look_up));
        } catch (const config_error&) {
          if (!quick_) throw;
          t.rows.back().cells.emplace_back();
        }
    }
    tables.push_back(std::move(t));
  }
  return tables;
}

std::vector<std::string> measured_table::markdown() const {
  std::string head = "| " + corner + " |", line = "|---|";
  for (const json& c : columns) {
    head += fmt::format(" {} |", c.at("title").get<std::string>());
    line += "---|";
  }
  std::vector<std::string> lines{head, line};
  for (const row& r : rows) {
    std::string text = fmt::format("| {} |", r.title);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const estimate& e = r.cells[i];
      const int digits = columns[i].at("decimals");
      if (std::isfinite(e.mean)) text += fmt::format(" {:.{}f}", e.mean, digits);
      if (columns[i].at("interval").get<bool>() && std::isfinite(e.half_width))
        text += fmt::format(" ± {:.{}f}", e.half_width, digits);
      text += " |";
    }
    lines.push_back(std::move(text));
  }
  return lines;
}

}  // namespace spillway
