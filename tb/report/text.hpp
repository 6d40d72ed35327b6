#pragma once
#include <string>
#include <string_view>

namespace spillway {

/// The text as valid UTF-8 on one line: control characters become spaces, broken bytes U+FFFD.
std::string one_line(std::string_view text);
/// As one_line(), but line ends and tabs stay.
std::string clean_text(std::string_view text);
/// For a terminal: line ends stay, any other control character, of which a terminal would take orders,
/// becomes `?`.
std::string visible(std::string_view text);
/// Prints to standard output what may have names from a file in it, as visible() has it. Throws
/// std::system_error.
void say(std::string_view text);
/// Says on standard error what is wrong, a line that say() would print; a standard error that is closed or
/// full changes nothing.
void complain(std::string_view text);
/// Safe as the text of an HTML or SVG element and within a quoted attribute. Line ends and tabs stay.
std::string html_escape(std::string_view text);
/// As a cell of a CSV file (RFC 4180): quoted where it must be.
std::string csv_cell(std::string_view text);

}  // namespace spillway
