#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <map>
#include <memory>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/vcd_header.hpp>
#include <sstream>
#include <system_error>

namespace spillway {

namespace {

/// Puts variables into scopes.
class arrangement {
public:
  explicit arrangement(vcd_scope& root) : root_(root) {}
  void add(vcd_variable v) {
    std::vector<std::string> path;
    vcd_scope* at = &root_;
    for (const std::string& name : v.scopes) {
      path.push_back(name);
      vcd_scope*& found = by_path_[path];
      if (!found) {
        at->scopes.push_back(std::make_unique<vcd_scope>());
        found = at->scopes.back().get();
        found->name = name;
      }
      at = found;
    }
    at->variables.push_back(std::move(v));
  }

private:
  vcd_scope& root_;
  std::map<std::vector<std::string>, vcd_scope*> by_path_;
};

void declare(const vcd_scope& s, std::string& text, std::vector<vcd_variable>& all) {
  for (const vcd_variable& v : s.variables) {
    text += fmt::format("$var {} {} {} {} {} $end\n", v.kind, v.width, v.code, v.name, v.range());
    all.push_back(v);
  }
  for (const auto& inner : s.scopes) {
    text += fmt::format("$scope module {} $end\n", inner->name);
    declare(*inner, text, all);
    text += "$upscope $end\n";
  }
}

std::ifstream open(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw io_error(
        fmt::format("{}: cannot open this file: {}", path, std::generic_category().message(errno)));
  return in;
}

/// Reads up to the end of the header; what stands before the first scope goes to `before`.
std::vector<vcd_variable> read_header(std::istream& in, std::string& before) {
  std::vector<std::string> scopes;
  std::vector<vcd_variable> all;
  bool begun = false;
  std::string line;
  while (std::getline(in, line) && line.rfind("$enddefinitions", 0) != 0) {
    std::istringstream words(line);
    std::string keyword, kind, name, word;
    words >> keyword >> kind;
    begun = begun || keyword == "$scope" || keyword == "$var";
    if (!begun) before += line + '\n';
    if (keyword == "$scope" && words >> name) scopes.push_back(name);
    if (keyword == "$upscope" && !scopes.empty()) scopes.pop_back();
    vcd_variable v;
    v.kind = kind;
    v.scopes = scopes;
    if (keyword != "$var" || !(words >> v.width >> v.code)) continue;
    while (words >> word && word != "$end") v.name += word;  // the range may stand apart
    if (const std::size_t range = v.name.rfind('['); v.name.find(':', range) != std::string::npos)
      v.name.resize(range);
    all.push_back(std::move(v));
  }
  return all;
}

}  // namespace

std::string vcd_variable::range() const { return width == 1 ? "" : fmt::format("[{}:0]", width - 1); }

std::string vcd_variable::full_name() const {
  std::string full;
  for (const std::string& s : scopes) full += s + '.';
  return full + name + range();
}

std::vector<vcd_variable> vcd_variables(const std::string& path) {
  std::ifstream in = open(path);
  std::string before;
  return read_header(in, before);
}

std::ifstream open_vcd(const std::string& path, const vcd_placing& place, std::string& before,
                       vcd_scope& arranged) {
  std::ifstream in = open(path);
  arrangement all(arranged);
  for (vcd_variable& v : read_header(in, before)) {
    place(v);
    all.add(std::move(v));
  }
  return in;
}

std::vector<vcd_variable> move_vcd_variables(const std::string& from, const std::string& to,
                                             const vcd_placing& place, std::uint64_t start) {
  std::string text;
  vcd_scope root;
  std::ifstream in = open_vcd(from, place, text, root);
  std::vector<vcd_variable> all;
  declare(root, text, all);
  text += "$enddefinitions  $end\n";
  if (start) text += fmt::format("#{}\n", start);
  atomic_file out(to);
  out.write(text);
  constexpr std::size_t piece = 1 << 20;
  std::string buffer(piece, '\0');
  while (in.read(buffer.data(), piece) || in.gcount() > 0)
    out.write(std::string_view(buffer).substr(0, static_cast<std::size_t>(in.gcount())));
  if (in.bad()) throw io_error(from + ": cannot read all of the waveform");
  out.commit();
  return all;
}

}  // namespace spillway
