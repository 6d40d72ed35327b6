#include <cstdlib>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/program.hpp>
#include <spillway/tb/report/text.hpp>

namespace spillway {

std::string run_gnuplot(std::string_view script) {
  const char* named = std::getenv("SPILLWAY_GNUPLOT");
  const std::string program = named != nullptr && *named != '\0' ? named : "gnuplot";
  program_result result;
  try {
    result = run_program({program, "-d"}, script);  // -d: without the user's start-up file
  } catch (const io_error& error) {
    throw gnuplot_error(error.what());
  }
  if (result.missing) throw gnuplot_missing(program + " is not installed");
  if (result.status != 0) throw gnuplot_error("gnuplot failed: " + one_line(result.errors));
  return std::move(result.output);
}

std::string gnuplot_quote(std::string_view text) {
  std::string result = "'";  // between single quotes only the quote itself means anything
  for (const char c : one_line(text)) result += c == '\'' ? "''" : std::string(1, c);
  return result + "'";
}

std::string gnuplot_quote_tic(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled += c == '%' ? "%%" : std::string(1, c);
  return gnuplot_quote(doubled);
}

}  // namespace spillway
