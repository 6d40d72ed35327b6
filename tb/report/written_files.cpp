#include <algorithm>
#include <filesystem>
#include <spillway/tb/report/written_files.hpp>
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
  return fs::weakly_canonical(fs::absolute(one)) == fs::weakly_canonical(fs::absolute(other));
}

}  // namespace spillway
