#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <spillway/tb/command/manual.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <sstream>

namespace spillway {

namespace {

namespace fs = std::filesystem;

/// As text of troff: no character gives an order, and a dash is one.
std::string troff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

std::string full_name(const CLI::App& command, const char* between) {
  return command.get_parent() ? command.get_parent()->get_name() + between + command.get_name()
                              : command.get_name();
}

std::string synopsis(const CLI::App& command) {
  std::string text = "\\fB" + troff(full_name(command, " ")) + "\\fR [\\fIoption\\fR...]";
  if (!commands_of(command).empty()) text += " \\fIcommand\\fR";
  for (const CLI::Option* one : positionals_of(command)) {
    const bool many = one->get_items_expected_max() > 1;
    const std::string name = "\\fI" + troff(one->get_name(true, false)) + "\\fR" + (many ? "..." : "");
    text += one->get_required() ? ' ' + name : " [" + name + ']';
  }
  return text;
}

std::string entry(const CLI::Option& option, const std::string& names) {
  std::string text = ".TP\n" + names;
  if (option.nonpositional() && !value_of(option).empty()) text += " \\fI" + troff(value_of(option)) + "\\fR";
  text += '\n' + troff(option.get_description());
  if (!option.get_default_str().empty())
    text += troff(fmt::format(" (default: {})", option.get_default_str()));
  return text + '\n';
}

/// Lines as they are.
std::string verbatim(const std::string& lines) { return ".nf\n" + troff(lines) + "\n.fi\n"; }

/// The end of the help: examples as they are, the rest as text.
std::string ending(const std::string& footer) {
  std::istringstream lines(footer);
  std::string line, text, examples;
  bool within = false;
  while (std::getline(lines, line)) {
    const bool indented = !line.empty() && line[0] == ' ';
    if (line == examples_heading)
      within = true;
    else if (within && indented)
      examples += (examples.empty() ? "" : "\n") + line.substr(2);
    else if (!line.empty())
      text += line + '\n';
  }
  std::string page;
  if (!text.empty()) page += ".SH NOTES\n" + troff(text);
  if (!examples.empty()) page += ".SH EXAMPLES\n" + verbatim(examples);
  return page;
}

}  // namespace

std::string value_of(const CLI::Option& option) {
  return option.get_items_expected_max() > 0 ? option.get_type_name() : std::string();
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  return command.get_options(
      [](const CLI::Option* one) { return one->nonpositional() && !one->get_group().empty(); });
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& command) {
  return command.get_options([](const CLI::Option* one) { return one->get_positional(); });
}

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& one : option.get_snames()) names.push_back('-' + one);
  for (const std::string& one : option.get_lnames()) names.push_back("--" + one);
  return names;
}

std::string man_page(const CLI::App& command, const std::string& version) {
  const std::string name = full_name(command, "-");
  std::string capitals = name;
  std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  std::string page = fmt::format(
      ".TH {} 1 \"\" \"{}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n", troff(capitals),
      troff(version), troff(name), troff(command.get_description()), synopsis(command));
  const auto positionals = positionals_of(command);
  if (!positionals.empty()) page += ".SH ARGUMENTS\n";
  for (const CLI::Option* one : positionals)
    page += entry(*one, "\\fI" + troff(one->get_name(true, false)) + "\\fR");
  page += ".SH OPTIONS\n";
  for (const CLI::Option* one : options_of(command))
    page += entry(*one, "\\fB" + troff(fmt::format("{}", fmt::join(names_of(*one), ", "))) + "\\fR");
  const auto commands = commands_of(command);
  if (!commands.empty()) page += ".SH COMMANDS\n";
  for (const CLI::App* one : commands)
    page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", troff(one->get_name()), troff(one->get_description()));
  page += ending(command.get_footer());
  page += ".SH SEE ALSO\n";
  if (const CLI::App* const parent = command.get_parent())
    return page + fmt::format("\\fB{}\\fR(1)\n", troff(parent->get_name()));
  for (std::size_t i = 0; i < commands.size(); ++i)
    page += fmt::format("\\fB{}\\fR(1){}\n", troff(full_name(*commands[i], "-")),
                        i + 1 < commands.size() ? "," : "");
  return page;
}

void write_manual(const CLI::App& program, const std::string& version, const std::string& folder) {
  const auto put = [&folder](const std::string& file, const std::string& text) {
    const fs::path path = fs::path(folder) / file;
    make_folder(path.parent_path().string());
    write_file(path.string(), text);
  };
  const std::string& name = program.get_name();
  put("man/man1/" + name + ".1", man_page(program, version));
  for (const CLI::App* one : commands_of(program))
    put("man/man1/" + full_name(*one, "-") + ".1", man_page(*one, version));
  put("bash-completion/completions/" + name, completion(program, "bash"));
  put("zsh/site-functions/_" + name, completion(program, "zsh"));
  put("fish/vendor_completions.d/" + name + ".fish", completion(program, "fish"));
}

}  // namespace spillway
