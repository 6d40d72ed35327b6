#include <algorithm>
#include <filesystem>
#include <spillway/tb/report/written_files.hpp>
#include <system_error>
#include <utility>

namespace spillway {

using nlohmann::json;

std::string written_file::key() const {
  std::string text = at.to_string().substr(1);
  std::replace(text.begin(), text.end(), '/', '.');
  return text;
}

std::vector<written_file> written_files(const json& experiment) {
  std::vector<written_file> all;
  for (const auto& [key, what] : {std::pair{"vcd", "a waveform"}, std::pair{"fst", "a waveform"},
                                  std::pair{"packets", "a record of packets"}})
    if (experiment.at("trace").contains(key))
      all.push_back({what, json::json_pointer("/trace") / key, experiment["trace"][key]});
  const json& measures = experiment.at("measures");
  for (std::size_t i = 0; i < measures.size(); ++i)
    if (measures[i].at("kind") == "record")
      all.push_back(
          {"a table of packets", json::json_pointer("/measures") / i / "file", measures[i].at("file")});
  return all;
}

bool same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  // What cannot be looked at cannot be opened either, which says why.
  std::error_code bad, worse;
  const fs::path first = fs::weakly_canonical(fs::absolute(one), bad);
  const fs::path second = fs::weakly_canonical(fs::absolute(other), worse);
  return !bad && !worse && first == second;
}

std::string reader_of(const std::string& name, const document& experiment) {
  if (same_file(name, experiment.where(json::json_pointer()).file)) return "the experiment";
  for (const json::json_pointer& at : experiment.file_names())
    if (same_file(name, experiment.resolve(experiment.root.at(at).get<std::string>()).string()))
      return written_file{{}, at, {}}.key();
  return {};
}

}  // namespace spillway
