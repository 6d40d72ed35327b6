// What experiments do with other settings, and what the commands of studies write, kept: of every key of the
// reference a setting or two, so that none can lose its meaning, its default or its message unnoticed. That
// what is kept is right, others say.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <vector>

#include "kept_sums.hpp"

using namespace spillway::testing_support;
using nlohmann::json;

namespace {

constexpr unsigned parts = 8;

/// A line of the file: a sum, and either an experiment with its settings or words of the command.
struct kept_line {
  std::string sum;
  std::vector<std::string> words;
  std::string text() const {
    std::string all;
    for (const std::string& word : words) all += ' ' + word;
    return all.substr(1);
  }
};

std::vector<kept_line> lines_of(const std::string& file) {
  std::vector<kept_line> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream rest(line);
    kept_line found;
    rest >> found.sum;
    for (std::string word; rest >> word;) found.words.push_back(word);
    all.push_back(found);
  }
  return all;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

/// Without how much memory there is.
void forget_memory(std::string& text) {
  const std::string unit = " GiB";
  for (const char* const words : {", this machine has ", ", this process may have "})
    for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos;)
      text.erase(at, text.find(unit, at) + unit.size() - at);
}

/// The exit status, what was printed and what is left in the folder, without where this is done and how long
/// it took. Pages and pictures change with programs that draw them, plans with the build.
std::string sum_of(const std::string& command) {
  const scratch_folder folder;
  const process_result r =
      run_process("cd '" + folder.path().string() + "' && '" SPILLWAY_COMMAND "' " + command);
  EXPECT_LT(r.status, 3) << command << '\n' << r.output;
  std::string all = std::to_string(r.status) + r.output;
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file())
      files.insert(std::filesystem::relative(entry.path(), folder.path()).string());
  const std::set<std::string> kinds{".json", ".csv", ".dot", ".graphml", ".cert"};
  for (const std::string& file : files) {
    const std::filesystem::path path = folder / file;
    if (path.filename() != "timing.json" && kinds.count(path.extension().string()))
      all += '\n' + file + '\n' + read_text(path);
  }
  replace_all(all, folder.path().string(), "HERE");
  replace_all(all, SPILLWAY_EXPERIMENTS, "EXPERIMENTS");
  forget_memory(all);
  return crc32(all);
}

/// A run with settings, of 800 cycles where they do not say so.
std::string as_run(const kept_line& line) {
  std::string command = "run '" + line.words.at(0) + "' --quiet --no-report --deliveries --out out";
  bool limited = false;
  for (std::size_t w = 1; w < line.words.size(); ++w) {
    command += " --set '" + line.words[w] + "'";
    limited |= line.words[w].rfind("measure.limit=", 0) == 0;
  }
  return limited ? command : command + " --set measure.limit=800";
}

/// With SPILLWAY_KEEP=1 the lines as they are now are printed (keep_commands.sh).
void hold(const std::vector<kept_line>& lines, unsigned part, std::string (*command_of)(const kept_line&)) {
  for (std::size_t n = part; n < lines.size(); n += parts) {
    const std::string sum = sum_of(command_of(lines[n]));
    if (std::getenv("SPILLWAY_KEEP"))
      std::cout << "kept: " << n << ' ' << sum << ' ' << lines[n].text() << '\n';
    else
      EXPECT_EQ(lines[n].sum, sum) << command_of(lines[n]);
  }
}

class kept : public testing::TestWithParam<unsigned> {};

TEST_P(kept, settings_of_experiments_do_what_they_did) {
  const auto lines = lines_of(SPILLWAY_KEPT "/kept_settings.txt");
  EXPECT_GE(lines.size(), 786u);
  hold(lines, GetParam(), as_run);
}

TEST_P(kept, commands_write_what_they_did) {
  const auto lines = lines_of(SPILLWAY_KEPT "/kept_commands.txt");
  EXPECT_EQ(lines.size(), 44u);
  hold(lines, GetParam(), [](const kept_line& line) { return line.text(); });
}

// A key that comes new gets a line, or a reason here.
TEST(kept_settings, have_every_key_of_the_schema) {
  std::set<std::string> keys, missing;
  const std::function<void(const json&)> read = [&](const json& node) {
    if (node.is_object() && node.contains("properties") && node["properties"].is_object())
      for (const auto& [key, value] : node["properties"].items()) keys.insert(key);
    if (node.is_structured())
      for (const json& below : node) read(below);
  };
  read(json::parse(run_process("'" SPILLWAY_COMMAND "' list --schema").output));
  ASSERT_GT(keys.size(), 250u);
  std::string all;
  for (const kept_line& line : lines_of(SPILLWAY_KEPT "/kept_settings.txt")) all += line.text() + '\n';
  for (const std::string& key : keys)
    if (!std::regex_search(all, std::regex("[ .\"{,]" + key + "[\"=.]"))) missing.insert(key);
  const std::set<std::string> files{"path", "placement_file", "timing_file", "form"},
      of_sockets{"base", "size", "terminal"}, depends_on_the_build{"fst"};
  for (const auto& reason : {files, of_sockets, depends_on_the_build})
    for (const std::string& key : reason) EXPECT_EQ(missing.erase(key), 1u) << key << " has a line";
  EXPECT_EQ(missing, std::set<std::string>());
}

INSTANTIATE_TEST_SUITE_P(part, kept, testing::Range(0u, parts));

}  // namespace
