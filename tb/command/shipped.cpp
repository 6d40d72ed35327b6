#include <fmt/format.h>

#include <algorithm>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/schema_view.hpp>
#include <spillway/tb/command/shipped.hpp>

namespace spillway {

namespace fs = std::filesystem;

shipped_files::shipped_files(const std::string& folder, std::string what) : what_(std::move(what)) {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
  for (fs::path from : {fs::current_path(), program})
    for (; from != from.root_path(); from = from.parent_path()) folders_.push_back(from / "yaml" / folder);
  folders_.push_back(program.parent_path() / "share" / "spillway" / "yaml" / folder);
  folders_.erase(std::remove_if(folders_.begin(), folders_.end(),
                                [](const fs::path& f) { return !fs::is_directory(f); }),
                 folders_.end());
}

std::vector<fs::path> shipped_files::all() const {
  std::vector<fs::path> files;
  if (folders_.empty()) return files;
  for (const auto& entry : fs::directory_iterator(folders_.front()))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

fs::path shipped_files::find(const std::string& name) const {
  // What is written as a file is one; reading it says what is wrong.
  if (fs::exists(name) || fs::path(name).has_parent_path() || fs::path(name).has_extension()) return name;
  for (const fs::path& folder : folders_)
    if (fs::path file = folder / (name + ".yaml"); fs::is_regular_file(file)) return file;
  throw config_error(fmt::format("found no {} '{}', {}", what_, name, nearest(name)));
}

/// The best slip of the keyboard, and all that have the word in them.
std::string shipped_files::nearest(const std::string& word) const {
  std::vector<std::string> names, near;
  for (const fs::path& file : all()) names.push_back(file.stem().string());
  const std::string best = schema_detail::nearest(word, names);
  for (const std::string& one : names)
    if (one == best || (word.size() > 2 && one.find(word) != std::string::npos)) near.push_back(one);
  if (near.empty()) return "expected a file or the name of a shipped one";
  return fmt::format("did you mean {}?", fmt::join(near, " or "));
}

}  // namespace spillway
