#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// What a parser tells of itself beside `--help`: nothing of it is written anywhere else. Not for users of
/// the library.
namespace spillway {

/// Examples and the like at the end of a command's help start with this line; every line is one.
inline constexpr const char* examples_heading = "Examples:";

/// What an option takes, for people and for shells. What a completion knows: DIR, FILE, EXPERIMENT, SWEEP,
/// REPRODUCTION, SECTION, ENTRY, COMMAND, and words in braces (`{fast,signals}`).
std::string value_of(const CLI::Option& option);

/// The options that are shown, and the positional arguments in their order.
std::vector<const CLI::Option*> options_of(const CLI::App& command);
std::vector<const CLI::Option*> positionals_of(const CLI::App& command);
std::vector<const CLI::App*> commands_of(const CLI::App& program);
/// `-o` and `--out`, with their dashes.
std::vector<std::string> names_of(const CLI::Option& option);

/// A page for man(1), in the language of troff: of the program, or of one of its commands.
std::string man_page(const CLI::App& command, const std::string& version);

/// The shells that completion() knows.
inline const std::vector<std::string> shells{"bash", "zsh", "fish"};
/// A script for the shell: subcommands, options, what they take, and the names of what is shipped, which it
/// asks the program for. Throws std::invalid_argument for another shell.
std::string completion(const CLI::App& program, const std::string& shell);

/// Writes all pages and completions under the folder, as they lie in a prefix's share/: man/man1/NAME.1,
/// bash-completion/completions/NAME, zsh/site-functions/_NAME, fish/vendor_completions.d/NAME.fish.
void write_manual(const CLI::App& program, const std::string& version, const std::string& folder);

}  // namespace spillway
