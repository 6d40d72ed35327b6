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

/// A scope with what is in it, in the order in which it came.
struct scope {
  std::vector<const vcd_variable*> variables;
  std::vector<std::pair<std::string, std::unique_ptr<scope>>> scopes;
  std::map<std::string, std::size_t> by_name;  // of them

  scope& within(const std::string& name) {
    const auto [found, first] = by_name.emplace(name, scopes.size());
    if (first) scopes.emplace_back(name, std::make_unique<scope>());
    return *scopes[found->second].second;
  }
};

std::string range_of(const vcd_variable& v) { return v.width == 1 ? "" : fmt::format("[{}:0]", v.width - 1); }

void declare(const scope& s, std::string& text, std::vector<vcd_variable>& all) {
  for (const vcd_variable* const v : s.variables) {
    text += fmt::format("$var {} {} {} {} {} $end\n", v->kind, v->width, v->code, v->name, range_of(*v));
    all.push_back(*v);
  }
  for (const auto& [name, inner] : s.scopes) {
    text += fmt::format("$scope module {} $end\n", name);
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

std::string vcd_variable::full_name() const {
  std::string full;
  for (const std::string& s : scopes) full += s + '.';
  return full + name + range_of(*this);
}

std::vector<vcd_variable> vcd_variables(const std::string& path) {
  std::ifstream in = open(path);
  std::string before;
  return read_header(in, before);
}

std::vector<vcd_variable> move_vcd_variables(const std::string& from, const std::string& to,
                                             const std::function<void(vcd_variable&)>& place) {
  std::ifstream in = open(from);
  std::string text;
  std::vector<vcd_variable> read = read_header(in, text), all;
  scope root;
  for (vcd_variable& v : read) {
    place(v);
    scope* at = &root;
    for (const std::string& name : v.scopes) at = &at->within(name);
    at->variables.push_back(&v);
  }
  declare(root, text, all);
  text += "$enddefinitions  $end\n";
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
