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

/// One `--set`: a path and a value.
class override_setter {
public:
  override_setter(const std::string& text, json& root, source_map& places)
      : place_{"--set " + text, 0, 0}, root_(root), places_(places) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) fail("expected key=value");
    path_ = text.substr(0, equals);
    value_ = text.substr(equals + 1);
  }

  void apply() {
    yaml_document value;
    if (value_.find_first_not_of(" \t") != std::string::npos) value = read_yaml(value_, place_.file, true);
    auto* at = &root_;
    pointer walked;
    for (std::size_t start = 0; start <= path_.size();) {
      const auto end = std::min(path_.find('.', start), path_.size());
      at = &step(*at, path_.substr(start, end - start), walked);
      start = end + 1;
    }
    *at = std::move(value.root);
    places_.erase(walked.to_string());
    places_.set_value(walked.to_string(), place_);
    places_.set_key(walked.to_string(), place_);
    places_.graft(walked.to_string(), value.places);
  }

private:
  [[noreturn]] void fail(const std::string& text) const { throw config_error(place_.file + ": " + text); }

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

  place place_;
  std::string path_, value_;
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

void document::fail(const json_pointer& at, const std::string& text) const {
  throw config_error(message(where(at), at, text));
}

std::filesystem::path document::resolve(const std::string& file) const { return folder_ / file; }

document load_document_text(const std::string& text, const std::string& name, const json& schema,
                            const std::vector<std::string>& overrides, report errors) {
  auto read = read_yaml(text, name);
  for (const auto& one : overrides) override_setter(one, read.root, read.places).apply();
  const auto problems = schema_detail::validate(schema, read.root);
  if (!problems.empty()) fail_with(problems, read.places, errors);
  schema_detail::fill_defaults(schema, schema, read.root);
  return {std::move(read.root), std::move(read.places), std::filesystem::path(name).parent_path(), schema};
}

document load_document(const std::filesystem::path& file, const json& schema,
                       const std::vector<std::string>& overrides, report errors) {
  return load_document_text(read_text(file), file.string(), schema, overrides, errors);
}

}  // namespace spillway
