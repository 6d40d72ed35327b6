#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <spillway/platforms/config/document.hpp>
#include <spillway/platforms/config/validate.hpp>
#include <spillway/platforms/config/yaml_reader.hpp>

namespace spillway {

using nlohmann::json;

namespace {

using pointer = json::json_pointer;

std::string message(const place& where, const pointer& path, const std::string& text) {
  const auto keys = dotted(path);
  return fmt::format("{}: {}{}{}", where.text(), keys, keys.empty() ? "" : ": ", text);
}

/// One `--set` as written: a path and a value in YAML.
struct written_override {
  override_value what;
  source_map places;  ///< within the value
};

written_override parse_override(const std::string& text) {
  written_override result;
  result.what.where = {"--set " + text, 0, 0};
  const auto equals = text.find('=');
  if (equals == std::string::npos) throw config_error(result.what.where.file + ": expected key=value");
  result.what.path = text.substr(0, equals);
  const auto value = text.substr(equals + 1);
  if (value.find_first_not_of(" \t") == std::string::npos)
    throw config_error(result.what.where.file + ": expected a value, or ~ to leave the key out");
  auto read = read_yaml(value, result.what.where.file, true);
  result.what.value = std::move(read.root);
  result.places = std::move(read.places);
  return result;
}

/// Puts one override into a document.
class override_setter {
public:
  override_setter(const override_value& what, json& root, source_map& places)
      : place_(what.where), path_(what.path), value_(what.value), root_(root), places_(places) {}

  void apply(const source_map& inner = {}) {
    auto* at = &root_;
    json* parent = nullptr;
    pointer walked;
    for (std::size_t start = 0; start <= path_.size();) {
      const auto end = std::min(path_.find('.', start), path_.size());
      parent = at;
      at = &step(*at, path_.substr(start, end - start), walked);
      start = end + 1;
    }
    if (value_.is_null()) return leave_out(*parent, walked);
    *at = value_;
    places_.erase(walked.to_string());
    places_.set_value(walked.to_string(), place_);
    places_.set_key(walked.to_string(), place_);
    places_.graft(walked.to_string(), inner);
  }

private:
  [[noreturn]] void fail(const std::string& text) const { throw config_error(place_.text() + ": " + text); }

  void leave_out(json& parent, const pointer& at) {
    if (!parent.is_object()) fail("expected a value: only a key can be left out, not an entry of a list");
    if (parent[at.back()].is_null()) fail(fmt::format("there is no '{}' to leave out", dotted(at)));
    parent.erase(at.back());
    places_.erase(at.to_string());
  }

  json& step(json& at, const std::string& key, pointer& walked) {
    const auto here = dotted(walked);
    const auto shown = here.empty() ? std::string("the document") : '\'' + here + '\'';
    if (key.empty()) fail("expected a path such as traffic.0.rate before the =");
    walked.push_back(key);
    if (at.is_null()) at = json::object();
    if (at.is_object()) {
      if (!at.contains(key)) {
        places_.set_value(walked.to_string(), place_);
        places_.set_key(walked.to_string(), place_);
      }
      return at[key];
    }
    if (!at.is_array()) fail(fmt::format("{} is a single value, it has no key '{}'", shown, key));
    std::size_t index = 0;
    const auto* end = key.data() + key.size();
    const auto [stop, error] = std::from_chars(key.data(), end, index);
    if (error != std::errc{} || stop != end || (key.size() > 1 && key[0] == '0'))
      fail(fmt::format("{} is a list, expected an index, found '{}'", shown, key));
    if (index > at.size())
      fail(fmt::format("{} has {} entries, expected an index 0..{}, found {}", shown, at.size(), at.size(),
                       index));
    if (index == at.size()) at.push_back(nullptr);
    return at[index];
  }

  const place& place_;
  const std::string& path_;
  const json& value_;
  json& root_;
  source_map& places_;
};

/// Throws the problems in the order of their places; overrides come last.
[[noreturn]] void fail_with(const std::vector<schema_detail::problem>& problems, const source_map& places,
                            report errors) {
  std::vector<std::pair<place, std::string>> lines;
  for (const auto& one : problems) {
    const auto where = one.at_key ? places.key(one.at) : places.value(one.at);
    lines.emplace_back(where, message(where, one.path, one.message));
  }
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) {
    const auto order = [](const place& p) { return std::tuple(p.line == 0, p.line, p.column); };
    return order(a.first) < order(b.first);
  });
  const std::size_t most = errors == report::first ? 1 : 50;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, lines.size()); ++i) text += (i ? "\n" : "") + lines[i].second;
  if (errors == report::all && lines.size() > most)
    text += fmt::format("\n... and {} more", lines.size() - most);
  throw config_error(text);
}

}  // namespace

document::document(json content, source_map places, std::filesystem::path folder, json schema)
    : root(std::move(content)),
      places_(std::move(places)),
      folder_(std::move(folder)),
      schema_(std::move(schema)) {}

std::string document::remark(const json_pointer& at, const std::string& text) const {
  return message(where(at), at, text);
}

void document::fail(const json_pointer& at, const std::string& text) const {
  throw config_error(remark(at, text));
}

std::filesystem::path document::resolve(const std::string& file) const { return folder_ / file; }

namespace {

/// The schema that a comment at the head of the text names for editors; empty without one.
std::string modeline_schema(const std::string& text) {
  constexpr std::string_view mark = "# yaml-language-server: $schema=";
  for (std::size_t at = 0; at < text.size() && text[at] == '#'; at = text.find('\n', at) + 1) {
    if (text.compare(at, mark.size(), mark) == 0) {
      const std::size_t start = at + mark.size();
      return text.substr(start, text.find_first_of(" \t\r\n", start) - start);
    }
    if (text.find('\n', at) == std::string::npos) break;
  }
  return "";
}

document complete(const std::string& text, yaml_document read, const std::string& name, const json& schema,
                  report errors) {
  const auto problems = schema_detail::validate(schema, read.root);
  if (!problems.empty()) fail_with(problems, read.places, errors);
  schema_detail::fill_defaults(schema, schema, read.root);
  document done(std::move(read.root), std::move(read.places), std::filesystem::path(name).parent_path(),
                schema);
  done.modeline_schema = modeline_schema(text);
  return done;
}

}  // namespace

override_value read_override(const std::string& text) { return parse_override(text).what; }

document load_document_text(const std::string& text, const std::string& name, const json& schema,
                            const std::vector<std::string>& overrides, report errors) {
  auto read = read_yaml(text, name);
  for (const auto& one : overrides) {
    const written_override parsed = parse_override(one);
    override_setter(parsed.what, read.root, read.places).apply(parsed.places);
  }
  return complete(text, std::move(read), name, schema, errors);
}

document load_overridden(const std::string& text, const std::string& name, const json& schema,
                         const std::vector<override_value>& overrides) {
  auto read = read_yaml(text, name);
  for (const auto& one : overrides) override_setter(one, read.root, read.places).apply();
  return complete(text, std::move(read), name, schema, report::first);
}

document load_document(const std::filesystem::path& file, const json& schema,
                       const std::vector<std::string>& overrides, report errors) {
  return load_document_text(read_text(file), file.string(), schema, overrides, errors);
}

}  // namespace spillway
