#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <spillway/platforms/config/schema_view.hpp>
#include <spillway/platforms/config/validate.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace spillway::schema_detail {

namespace {

using pointer = json::json_pointer;

/// Most characters of a text that is held to a pattern.
constexpr std::size_t max_pattern_text = 4096;

/// What was found, as short text.
std::string found(const json& value) {
  if (value.is_null()) return "nothing";
  if (value.is_array()) return "a list";
  if (value.is_object()) return "keys and values";
  if (value.is_number_float() && !std::isfinite(value.get<double>())) return inline_yaml(value);
  auto text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > 60) {
    std::size_t cut = 50;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
    text = text.substr(0, cut) + "...\"";
  }
  return text;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& words) {
  const auto best = nearest(word, words);
  return best.empty() ? "" : fmt::format(", did you mean '{}'?", best);
}

bool is_type(const std::string& type, json& value) {
  if (type == "integer") {
    if (value.is_number_float()) {
      const double number = value;
      if (std::abs(number) < 9007199254740992.0 && std::trunc(number) == number)
        value = static_cast<std::int64_t>(number);
    }
    // Nobody counts further, and the validator takes more for negative.
    return value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() >> 63);
  }
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return type == "null" && value.is_null();
}

class walker {
public:
  explicit walker(const json& schema) : schema_(schema) {}

  void check(const json& written, json& value, const pointer& at) {
    const auto& node = resolve(schema_, written);
    if (!node.is_object()) return;
    if (const auto* values = find(node, "enum")) return check_enum(*values, value, at);
    if (const auto* wanted = find(node, "const"); wanted && *wanted != value)
      return expected(node, value, at);
    if (!check_type(node, value)) return expected(node, value, at);
    if (value.is_number()) check_range(node, value, at);
    if (value.is_string()) check_string(node, value, at);
    if (value.is_array()) check_list(node, value, at);
    if (value.is_object()) check_object(node, value, at);
  }

  std::vector<problem> problems;

private:
  void report(const pointer& at, std::string message) {
    problems.push_back({at, at, false, std::move(message)});
  }

  void expected(const json& node, const json& value, const pointer& at) {
    report(at, fmt::format("expected {}, found {}", accepted(schema_, node), found(value)));
  }

  static bool check_type(const json& node, json& value) {
    const auto* type = find(node, "type");
    if (!type) return true;
    if (type->is_string()) return is_type(*type, value);
    return std::any_of(type->begin(), type->end(), [&](const json& one) { return is_type(one, value); });
  }

  void check_enum(const json& values, const json& value, const pointer& at) {
    if (std::find(values.begin(), values.end(), value) != values.end()) return;
    std::vector<std::string> words;
    for (const auto& one : values)
      if (one.is_string()) words.push_back(one);
    const auto hint = value.is_string() ? did_you_mean(value, words) : "";
    // Of a kind whose mechanisms are all left out.
    const auto wanted = values.empty() ? "nothing, as there is none" : "one of " + listed(values);
    report(at, fmt::format("expected {}, found {}{}", wanted, found(value), hint));
  }

  void check_range(const json& node, const json& value, const pointer& at) {
    const auto outside = [&](const char* limit, auto holds) {
      const auto* bound = find(node, limit);
      return bound && !holds(value, *bound);  // a NaN is outside of every range
    };
    const auto number = [](const json& one) { return one.get<long double>(); };
    if (outside("minimum", [&](auto& v, auto& b) { return number(v) >= number(b); }) ||
        outside("maximum", [&](auto& v, auto& b) { return number(v) <= number(b); }) ||
        outside("exclusiveMinimum", [&](auto& v, auto& b) { return number(v) > number(b); }) ||
        outside("exclusiveMaximum", [&](auto& v, auto& b) { return number(v) < number(b); }))
      report(at, fmt::format("expected {}, found {}", range(node), found(value)));
  }

  void check_string(const json& node, const json& value, const pointer& at) {
    const std::size_t size = value.get_ref<const std::string&>().size();
    // std::regex goes a level deeper with each character.
    const std::size_t most = find(node, "pattern") ? max_pattern_text : std::string::npos;
    if (size > most)
      report(at, fmt::format("expected at most {} characters, found {}", most, size));
    else if (size < node.value("minLength", std::size_t{0}))
      report(at, fmt::format("expected a text that is not empty, found {}", found(value)));
    else if (const auto* form = find(node, "x-form");  // other patterns are the validator's
             form && !std::regex_search(value.get_ref<const std::string&>(),
                                        std::regex(node.at("pattern").get<std::string>())))
      report(at, fmt::format("expected {}, found {}", form->get<std::string>(), found(value)));
  }

  void check_list(const json& node, json& value, const pointer& at) {
    const auto least = node.value("minItems", std::size_t{0});
    const auto most = node.value("maxItems", value.size());
    if (value.size() < least)
      report(at, fmt::format("expected at least {} in the list, found {}", least, value.size()));
    if (value.size() > most)
      report(at, fmt::format("expected at most {} in the list, found {}", most, value.size()));
    const auto* items = find(node, "items");
    if (!items || !items->is_object()) return;
    for (std::size_t i = 0; i < value.size(); ++i) check(*items, value[i], at / i);
  }

  void check_object(const json& node, json& value, const pointer& at) {
    const auto view = view_of(schema_, node, value);
    std::vector<std::string> names;
    for (const auto& one : view.properties) names.push_back(one.name);
    for (auto& [key, item] : value.items()) {
      if (const auto* property = view.property(key))
        check(*property, item, at / key);
      else if (view.closed)
        unknown_key(view, names, value, key, at);
      else if (const auto* more = find(node, "additionalProperties"))
        check(*more, item, at / key);
    }
    for (const auto& name : view.required)
      if (!value.contains(name)) {
        const auto* property = view.property(name);
        report(at, fmt::format("missing key '{}'{}{}", name, property ? ", expected " : "",
                               property ? accepted(schema_, *property) : ""));
      }
  }

  void unknown_key(const object_view& view, const std::vector<std::string>& names, const json& value,
                   const std::string& key, const pointer& at) {
    auto message = fmt::format("unknown key '{}'", key);
    const char* before = " for ";
    for (const auto& choice : view.keys)
      if (value.contains(choice) && value.at(choice).is_string()) {
        message += fmt::format("{}{}: {}", before, choice, value.at(choice).get<std::string>());
        before = ", ";
      }
    auto hint = did_you_mean(key, names);
    if (hint.empty())
      hint = names.empty() ? ", expected none" : fmt::format(", expected one of {}", fmt::join(names, ", "));
    problems.push_back({at, at / key, true, message + hint});
  }

  const json& schema_;
};

/// `["traffic"]`, `[0]` of valijson's contexts as a pointer.
pointer pointer_of(const std::vector<std::string>& context) {
  pointer at;
  for (const auto& step : context) {
    if (step.size() < 3 || step.front() != '[') continue;  // <root>
    const bool quoted = step[1] == '"';
    at.push_back(quoted ? step.substr(2, step.size() - 4) : step.substr(1, step.size() - 2));
  }
  return at;
}

/// The verdict of valijson: nothing, or the error deepest in the document.
std::vector<problem> verdict(const json& schema, const json& value) {
  valijson::Schema compiled;
  try {
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema), compiled);
  } catch (const std::exception& error) {
    throw std::invalid_argument(std::string("the schema is not valid: ") + error.what());
  }
  valijson::ValidationResults results;
  valijson::Validator validator;
  if (validator.validate(compiled, valijson::adapters::NlohmannJsonAdapter(value), &results)) return {};
  problem deepest{pointer(), pointer(), false, "not allowed by the schema"};
  std::size_t depth = 0;
  for (valijson::ValidationResults::Error error; results.popError(error);)
    if (error.context.size() > depth) {
      depth = error.context.size();
      deepest.path = deepest.at = pointer_of(error.context);
      deepest.message = error.description;
    }
  return {deepest};
}

}  // namespace

std::vector<problem> validate(const json& schema, json& value) {
  walker own(schema);
  own.check(schema, value, pointer());
  if (!own.problems.empty()) return own.problems;
  return verdict(schema, value);
}

void fill_defaults(const json& schema, const json& written, json& value) {
  const auto& node = resolve(schema, written);
  if (value.is_array()) {
    if (const auto* items = find(node, "items"))
      for (auto& item : value) fill_defaults(schema, *items, item);
    return;
  }
  if (!value.is_object()) return;
  const auto view = view_of(schema, node, value);
  if (const auto* more = find(node, "additionalProperties"); more && more->is_object())
    for (auto& [name, item] : value.items())
      if (!view.property(name)) fill_defaults(schema, *more, item);
  for (const auto& [name, property, owner] : view.properties) {
    if (!value.contains(name)) {
      const auto* fallback = find(*property, "default");
      if (!fallback) continue;
      value[name] = *fallback;
    }
    fill_defaults(schema, *property, value[name]);
  }
}

}  // namespace spillway::schema_detail
