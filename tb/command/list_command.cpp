#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/config/schema_view.hpp>
#include <spillway/platforms/config/yaml_reader.hpp>
#include <spillway/tb/command/commands.hpp>
#include <spillway/tb/command/shipped.hpp>
#include <spillway/tb/report/text.hpp>
#include <sstream>

namespace spillway {

namespace {

using nlohmann::ordered_json;

struct list_arguments {
  std::string section, entry;
  bool reference = false, schema = false, names = false, json = false;
};

/// Something that can be chosen, or a file that is shipped; the keys alone if it has no name.
struct listed_entry {
  std::string name, description;
  std::vector<parameter_info> keys;
};

/// What `list` prints under one heading.
struct listed_part {
  std::string section;
  std::string key;  ///< what chooses it beside `kind`, such as `pattern`; empty: nothing
  std::vector<listed_entry> entries;

  std::string heading() const { return key.empty() ? section : section + ' ' + key; }
  bool is(const std::string& word) const { return word == section || word == key; }
};

/// The comment at the head of a shipped file.
std::string head_of(const std::filesystem::path& file) {
  std::istringstream lines(read_text(file));
  std::string line, text;
  for (bool first = true; std::getline(lines, line) && !line.empty() && line[0] == '#'; first = false) {
    if (first && line.find("$schema") != std::string::npos) continue;
    text += (text.empty() ? "" : " ") + line.substr(std::min<std::size_t>(2, line.size()));
  }
  return text;
}

void add_kinds(const nlohmann::json& schema, const std::string& section, std::vector<listed_part>& parts) {
  for (kind_info& k : kinds(schema, section)) {
    const std::string key = k.key == "kind" ? "" : k.key;
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const listed_part& p) {
      return p.section == section && p.key == key;
    });
    listed_part& part = same != parts.end() ? *same : parts.emplace_back(listed_part{section, key, {}});
    part.entries.push_back({k.name, k.description, std::move(k.parameters)});
  }
}

/// All that there is, in the order of an experiment file, then the files that are shipped.
std::vector<listed_part> all_parts(const nlohmann::json& schema) {
  std::vector<listed_part> parts{{"experiment", "", {{"", "", schema_detail::keys_of(schema, "")}}}};
  const std::vector<parameter_info> plain = parts.front().entries.front().keys;
  for (const std::string& section : schema_detail::property_names(schema)) {
    if (std::any_of(plain.begin(), plain.end(), [&](const parameter_info& p) { return p.name == section; }))
      continue;
    if (!kinds(schema, section).empty())
      add_kinds(schema, section, parts);
    else
      parts.push_back({section, "", {{"", "", schema_detail::keys_of(schema, section)}}});
  }
  for (const auto& [folder, what] : {std::pair{"experiments", "experiment"}, std::pair{"sweeps", "sweep"},
                                     std::pair{"reproductions", "reproduction"}}) {
    listed_part part{folder, "", {}};
    for (const auto& file : shipped_files(folder, what).all())
      part.entries.push_back({file.stem().string(), head_of(file), {}});
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Leaves what the words of the command line choose. Throws config_error, which tells what there is.
void choose(const list_arguments& a, std::vector<listed_part>& parts) {
  if (a.section.empty()) return;
  std::vector<std::string> words;
  for (const listed_part& p : parts)
    for (const std::string& word : {p.section, p.key})
      if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  if (std::find(words.begin(), words.end(), a.section) == words.end())
    throw config_error(
        fmt::format("found no section '{}', expected one of {}", a.section, fmt::join(words, ", ")));
  const auto other = [](std::vector<listed_part>& list, const auto& leave) {
    list.erase(std::remove_if(list.begin(), list.end(), leave), list.end());
  };
  other(parts, [&](const listed_part& p) { return !p.is(a.section); });
  if (a.entry.empty()) return;
  std::vector<std::string> names;
  for (listed_part& p : parts) {
    for (const listed_entry& e : p.entries) names.push_back(e.name);
    p.entries.erase(std::remove_if(p.entries.begin(), p.entries.end(),
                                   [&](const listed_entry& e) { return e.name != a.entry; }),
                    p.entries.end());
  }
  other(parts, [](const listed_part& p) { return p.entries.empty(); });
  if (!parts.empty()) return;
  const std::string near = schema_detail::nearest(a.entry, names);
  throw config_error(
      near.empty()
          ? fmt::format("found no {} '{}', expected one of {}", a.section, a.entry, fmt::join(names, ", "))
          : fmt::format("found no {} '{}', did you mean '{}'?", a.section, a.entry, near));
}

void print_text(const std::vector<listed_part>& parts) {
  for (const listed_part& p : parts) {
    fmt::print("{}\n", p.heading());
    for (const listed_entry& e : p.entries) {
      if (!e.name.empty()) say(fmt::format("  {:<16} {}\n", e.name, e.description));
      for (const parameter_info& k : e.keys)
        fmt::print("    {:<20} {}{}: {}\n", k.name, k.type,
                   k.required           ? ", required"
                   : k.fallback.empty() ? ""
                                        : ", default " + k.fallback,
                   k.description);
    }
  }
}

/// Without a section those of the sections.
void print_names(const std::vector<listed_part>& parts, bool sections) {
  std::string last;
  for (const listed_part& p : parts)
    if (sections && p.section != last) say((last = p.section) + '\n');
  if (sections) return;
  for (const listed_part& p : parts)
    for (const listed_entry& e : p.entries)
      if (!e.name.empty()) say(e.name + '\n');
}

void print_json(const std::vector<listed_part>& parts) {
  ordered_json list = ordered_json::array();
  for (const listed_part& p : parts)
    for (const listed_entry& e : p.entries) {
      ordered_json one{{"section", p.section}};
      if (!p.key.empty()) one["key"] = p.key;
      if (!e.name.empty()) one["name"] = e.name;
      if (!e.description.empty()) one["description"] = e.description;
      for (const parameter_info& k : e.keys) {
        ordered_json key{{"name", k.name}, {"type", k.type}, {"required", k.required}};
        if (!k.fallback.empty()) key["default"] = k.fallback;
        key["description"] = k.description;
        one["keys"].push_back(std::move(key));
      }
      list.push_back(std::move(one));
    }
  fmt::print("{}\n", list.dump(2, ' ', false, ordered_json::error_handler_t::replace));
}

int list(const list_arguments& a, const catalogue& all) {
  const nlohmann::json schema = experiment_schema(all);
  if (a.reference) fmt::print("{}", schema_reference(schema));
  if (a.schema) fmt::print("{}", schema_text(schema));
  if (a.reference || a.schema) return 0;
  std::vector<listed_part> parts = all_parts(schema);
  choose(a, parts);
  if (a.json)
    print_json(parts);
  else if (a.names)
    print_names(parts, a.section.empty());
  else
    print_text(parts);
  return 0;
}

}  // namespace

void add_list_command(CLI::App& app, int& status, const catalogue& all) {
  const auto a = std::make_shared<list_arguments>();
  CLI::App* const command =
      app.add_subcommand("list", "what can be chosen, with each one's parameters, and what is shipped");
  command->add_option("section", a->section, "one of its sections, such as topology or experiments")
      ->type_name("SECTION");
  command->add_option("entry", a->entry, "one of that section, such as mesh")->type_name("ENTRY");
  CLI::Option* const names = command->add_flag("--names", a->names, "names alone, one a line");
  command->add_flag("--json", a->json, "print a list of objects, and nothing else")->excludes(names);
  command->add_flag("--reference", a->reference, "every key of an experiment file, in Markdown");
  command->add_flag("--schema", a->schema, "the JSON Schema of an experiment file");
  command->callback([a, &status, &all] { status = list(*a, all); });
}

}  // namespace spillway
