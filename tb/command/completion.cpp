#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <spillway/tb/command/manual.hpp>
#include <stdexcept>

namespace spillway {

namespace {

/// What `list NAME --names` lists for a kind of value.
const std::map<std::string, std::string>& shipped() {
  static const std::map<std::string, std::string> all{
      {"EXPERIMENT", "experiments"}, {"SWEEP", "sweeps"}, {"REPRODUCTION", "reproductions"}};
  return all;
}

/// `{fast,signals}` as its words; empty for any other value.
std::vector<std::string> words_of(const std::string& value) {
  if (value.empty() || value.front() != '{') return {};
  return CLI::detail::split(value.substr(1, value.size() - 2), ',');
}

/// In single quotes for a shell.
std::string shell_quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + '\'';
}

bool takes_value(const CLI::Option* one) { return !value_of(*one).empty(); }

std::string all_names(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* one : options_of(command))
    for (const std::string& name : names_of(*one)) text += (text.empty() ? "" : " ") + name;
  return text;
}

std::string command_names(const CLI::App& program) {
  std::string text;
  for (const CLI::App* one : commands_of(program)) text += (text.empty() ? "" : " ") + one->get_name();
  return text;
}

// --- bash

/// A line that fills `words` or `files` for a value of this kind.
std::string bash_choice(const std::string& value, const CLI::App& program) {
  if (value == "DIR") return "files=-d";
  if (value == "FILE") return "files=-f";
  if (value == "COMMAND") return "words=" + shell_quoted(command_names(program));
  if (value == "SECTION") return "words=$(\"$1\" list --names 2>/dev/null)";
  if (value == "ENTRY") return "words=$(\"$1\" list \"$first\" --names 2>/dev/null)";
  if (const auto found = shipped().find(value); found != shipped().end())
    return fmt::format("files=-f words=$(\"$1\" list {} --names 2>/dev/null)", found->second);
  const auto words = words_of(value);
  return words.empty() ? ":" : "words=" + shell_quoted(fmt::format("{}", fmt::join(words, " ")));
}

std::string bash_cases(const CLI::App& command, const CLI::App& program) {
  std::string with_value, cases;
  for (const CLI::Option* one : options_of(command)) {
    if (!takes_value(one)) continue;
    const std::string names = fmt::format("{}", fmt::join(names_of(*one), " | "));
    with_value += (with_value.empty() ? "" : " | ") + names;
    cases += fmt::format("        {}) {} ;;\n", names, bash_choice(value_of(*one), program));
  }
  const auto positionals = positionals_of(command);
  for (std::size_t i = 0; i < positionals.size(); ++i)
    cases += fmt::format("        {}) {} ;;\n",
                         positionals[i]->get_items_expected_max() > 1 ? "[0-9]*" : std::to_string(i),
                         bash_choice(value_of(*positionals[i]), program));
  return fmt::format(
      "    {})\n"
      "      options={}\n"
      "      for ((i = 2; i < COMP_CWORD; ++i)); do\n"
      "        case ${{COMP_WORDS[i]}} in\n"
      "{}"
      "          -*) ;;\n"
      "          *) ((place++)) || first=${{COMP_WORDS[i]}} ;;\n"
      "        esac\n"
      "      done\n"
      "      ((i > COMP_CWORD)) && place=$3\n"
      "      case $place in\n"
      "{}"
      "      esac\n"
      "      ;;\n",
      command.get_name(), shell_quoted(all_names(command)),
      with_value.empty() ? "" : fmt::format("          {}) ((++i)) ;;\n", with_value), cases);
}

std::string bash(const CLI::App& program) {
  const std::string& name = program.get_name();
  std::string commands;
  for (const CLI::App* one : commands_of(program)) commands += bash_cases(*one, program);
  return fmt::format(
      "# Completion of {0} for bash, made by `{0} help --completion bash`.\n"
      "# $1: the program, $2: the word, $3: the one before it.\n"
      "_{0}() {{\n"
      "  local options={1} words='' files='' first='' place=0 i line\n"
      "  COMPREPLY=()\n"
      "  case ${{COMP_WORDS[1]}} in\n"
      "{2}"
      "  esac\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    options={1} words={3} files=''\n"
      "  fi\n"
      "  if [[ $2 == -* ]]; then\n"
      "    words=$options files=''\n"
      "  fi\n"
      "  while IFS= read -r line; do\n"
      "    COMPREPLY+=(\"$line\")\n"
      "  done < <(compgen -W \"$words\" -- \"$2\"; [[ -z $files ]] || compgen \"$files\" -- \"$2\")\n"
      "}}\n"
      "complete -o filenames -F _{0} {0}\n",
      name, shell_quoted(all_names(program)), commands, shell_quoted(command_names(program)));
}

// --- zsh

/// What zsh does for a value of this kind.
std::string zsh_action(const std::string& value, const CLI::App& program) {
  if (value == "DIR") return "_files -/";
  if (value == "FILE") return "_files";
  if (value == "COMMAND") return "(" + command_names(program) + ")";
  if (value == "SECTION") return "_" + program.get_name() + "_listed";
  if (value == "ENTRY") return "_" + program.get_name() + "_listed $line[1]";
  if (const auto found = shipped().find(value); found != shipped().end())
    return fmt::format("_{}_shipped {}", program.get_name(), found->second);
  const auto words = words_of(value);
  return words.empty() ? " " : fmt::format("({})", fmt::join(words, " "));
}

/// For the inside of brackets and between colons.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_spec(const CLI::Option& option, const CLI::App& program) {
  const auto names = names_of(option);
  const std::string value = value_of(option);
  const bool many = option.get_items_expected_max() > 1;
  std::string text;
  for (const std::string& name : names) {
    const std::string others = many               ? "*"
                               : names.size() > 1 ? fmt::format("({})", fmt::join(names, " "))
                                                  : "";
    std::string spec = others + name + '[' + zsh_text(option.get_description()) + ']';
    if (!value.empty()) spec += ':' + zsh_text(value) + ':' + zsh_action(value, program);
    text += " \\\n        " + shell_quoted(spec);
  }
  return text;
}

std::string zsh_command(const CLI::App& command, const CLI::App& program) {
  std::string specs;
  for (const CLI::Option* one : options_of(command)) specs += zsh_spec(*one, program);
  std::size_t place = 1;
  for (const CLI::Option* one : positionals_of(command)) {
    const bool many = one->get_items_expected_max() > 1;
    specs += " \\\n        " + shell_quoted(fmt::format("{}:{}:{}", many ? "*" : std::to_string(place++),
                                                        zsh_text(one->get_name(true, false)),
                                                        zsh_action(value_of(*one), program)));
  }
  return fmt::format("    {})\n      _arguments{}\n      ;;\n", command.get_name(), specs);
}

std::string zsh(const CLI::App& program) {
  std::string described, cases;
  for (const CLI::App* one : commands_of(program)) {
    described += "  " + shell_quoted(zsh_text(one->get_name()) + ':' + one->get_description()) + '\n';
    cases += zsh_command(*one, program);
  }
  std::string options;
  for (const CLI::Option* one : options_of(program)) options += zsh_spec(*one, program);
  return fmt::format(
      "#compdef {0}\n"
      "# Completion of {0} for zsh, made by `{0} help --completion zsh`.\n"
      "_{0}_listed() {{\n"
      "  local -a names\n"
      "  names=(${{(f)\"$({0} list $@ --names 2>/dev/null)\"}})\n"
      "  compadd -a names\n"
      "}}\n"
      "_{0}_shipped() {{\n"
      "  _{0}_listed $1\n"
      "  _files\n"
      "}}\n"
      "_{0}() {{\n"
      "local context state state_descr line\n"
      "typeset -A opt_args\n"
      "local -a commands\n"
      "commands=(\n{1})\n"
      "_arguments -C{2} \\\n        '1:command:->command' '*::argument:->argument'\n"
      "case $state in\n"
      "  command) _describe command commands ;;\n"
      "  argument)\n"
      "    case $words[1] in\n{3}    esac\n"
      "    ;;\n"
      "esac\n"
      "}}\n"
      "_{0} \"$@\"\n",
      program.get_name(), described, options, cases);
}

// --- fish

std::string fish_choice(const std::string& value, const CLI::App& program) {
  const std::string& name = program.get_name();
  if (value == "DIR") return " -xa '(__fish_complete_directories)'";
  if (value == "FILE") return " -rF";
  if (value == "COMMAND") return " -xa " + shell_quoted(command_names(program));
  if (value == "SECTION" || value == "ENTRY") return fmt::format(" -xa '({} list --names)'", name);
  if (const auto found = shipped().find(value); found != shipped().end())
    return fmt::format(" -rFa '({} list {} --names)'", name, found->second);
  const auto words = words_of(value);
  return words.empty() ? " -x" : " -xa " + shell_quoted(fmt::format("{}", fmt::join(words, " ")));
}

std::string fish_option(const CLI::Option& option, const std::string& start, const CLI::App& program) {
  std::string line = start;
  for (const std::string& one : option.get_snames()) line += " -s " + one;
  for (const std::string& one : option.get_lnames()) line += " -l " + one;
  if (takes_value(&option)) line += fish_choice(value_of(option), program);
  return line + " -d " + shell_quoted(option.get_description()) + '\n';
}

std::string fish(const CLI::App& program) {
  const std::string& name = program.get_name();
  std::string text = fmt::format(
      "# Completion of {0} for fish, made by `{0} help --completion fish`.\ncomplete -c {0} -f\n", name);
  for (const CLI::Option* one : options_of(program))
    text += fish_option(*one, "complete -c " + name + " -n __fish_use_subcommand", program);
  for (const CLI::App* one : commands_of(program)) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", name, one->get_name(),
                        shell_quoted(one->get_description()));
    const std::string start =
        fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", name, one->get_name());
    for (const CLI::Option* option : options_of(*one)) text += fish_option(*option, start, program);
    for (const CLI::Option* option : positionals_of(*one))
      if (const std::string choice = fish_choice(value_of(*option), program); choice != " -x")
        text += start + choice + '\n';
  }
  return text;
}

}  // namespace

std::string completion(const CLI::App& program, const std::string& shell) {
  if (shell == "bash") return bash(program);
  if (shell == "zsh") return zsh(program);
  if (shell == "fish") return fish(program);
  throw std::invalid_argument("no completion for '" + shell + "'");
}

}  // namespace spillway
