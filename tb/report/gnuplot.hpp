#pragma once
#include <stdexcept>
#include <string>
#include <string_view>

namespace spillway {

/// A picture could not be drawn; what() says why, in one sentence.
struct gnuplot_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// gnuplot is not installed.
struct gnuplot_missing : gnuplot_error {
  using gnuplot_error::gnuplot_error;
};

/// Runs the script in gnuplot, without the user's start-up file, and returns what it writes to standard
/// output. The program is the one the environment variable SPILLWAY_GNUPLOT names, otherwise `gnuplot`
/// on the path. Throws gnuplot_missing, gnuplot_error.
std::string run_gnuplot(std::string_view script);

/// A literal of gnuplot's language that holds any text as it is (the terminal must be `noenhanced`).
std::string gnuplot_quote(std::string_view text);
/// The same for the label of a tic, which gnuplot takes as a format.
std::string gnuplot_quote_tic(std::string_view text);

}  // namespace spillway
