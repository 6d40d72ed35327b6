#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spillway/platforms/config/yaml_reader.hpp>
#include <spillway/tb/reproduce/outline.hpp>

namespace spillway {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw config_error(file.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Adds every file that a string in the value names, and what such a YAML file names in turn.
void add_files(const json& value, const fs::path& folder, const fs::path& written, json& list) {
  if (value.is_structured())
    for (const json& member : value) add_files(member, folder, written, list);
  if (!value.is_string() || value.get_ref<const std::string&>().size() > 255) return;
  const std::string name = value;
  if (name.find('.') == std::string::npos || !fs::is_regular_file(folder / name)) return;
  const std::string as = (written / name).lexically_normal().generic_string();
  if (list.contains(as)) return;
  const std::string text = text_of(folder / name);
  list[as] = digest(text);
  if (fs::path(name).extension() == ".yaml")
    add_files(read_yaml(text, as).root, (folder / name).parent_path(), fs::path(as).parent_path(), list);
}

}  // namespace

std::vector<expansion> groups_of(const document& file, bool quick) {
  using pointer = json::json_pointer;
  std::vector<expansion> groups;
  for (const auto& [group, ignored] : file.root.at("runs").items()) {
    expansion what{pointer("/runs") / group, group, {}};
    if (quick) what.smaller = {pointer("/quick"), what.at / "quick"};
    groups.push_back(std::move(what));
  }
  const pointer grid("/quick/grid");
  const json smaller = file.root.value(grid, json::object());
  for (const auto& [path, ignored] : smaller.items())
    if (std::none_of(groups.begin(), groups.end(), [&, key = path](const expansion& group) {
          return file.root.value(group.at / "grid", json::object()).contains(key);
        }))
      file.fail(grid / path,
                fmt::format("found the key '{}', expected one of the grid of a group of runs", path));
  return groups;
}

json depends_on(const document& file) {
  json decides;
  for (const char* part : {"theory", "tables", "runs"}) decides[part] = file.root.at(part);
  for (const char* part : {"theory", "runs"})
    for (json& one : decides[part]) one.erase("quick");
  json list{{"runs, theory and tables", digest(decides.dump())}};
  add_files(decides.at("runs"), file.resolve("."), "", list);
  return list;
}

}  // namespace spillway
