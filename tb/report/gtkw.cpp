#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <spillway/tb/report/gtkw.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/vcd_header.hpp>

namespace spillway {

namespace {

constexpr std::size_t most_markers = 26;  // named A to Z

// Bits of the number that stands before a trace: GTKWave 3.3, analyzer.h, TR_*.
constexpr const char* show_bit = "@28";          // binary, right justified
constexpr const char* show_bus = "@22";          // hexadecimal, right justified
constexpr const char* show_words = "@2022";      // the same, in the words of a file
constexpr const char* group_begin = "@800200";   // blank line with a name that opens a group
constexpr const char* group_closed = "@c00200";  // the same, folded
constexpr const char* group_end = "@1000200";    // that closes it
constexpr const char* group_end_closed = "@1401200";

bool is_bus(const std::string& signal) { return !signal.empty() && signal.back() == ']'; }

// A quote would end the name in the file.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : one_line(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string marker_lines(const std::vector<wave_marker>& markers, std::uint64_t cycle) {
  const std::size_t count = std::min(markers.size(), most_markers);
  // A zoom of -z shows 2^z units on 200 pixels: about 25 pixels a cycle.
  const double zoom = std::log2(8 * static_cast<double>(std::max<std::uint64_t>(1, cycle)));
  std::string text = fmt::format("*{:.6f} {}", -zoom, count == 0 ? "-1" : fmt::format("{}", markers[0].time));
  for (std::size_t i = 0; i < most_markers; ++i)
    text += i < count ? fmt::format(" {}", markers[i].time) : " -1";
  text += '\n';
  for (std::size_t i = 0; i < count; ++i)
    if (!markers[i].name.empty())
      text += fmt::format("[markername] {}{}\n", static_cast<char>('A' + i), one_line(markers[i].name));
  return text;
}

std::string group_lines(const wave_group& g) {
  std::string text = fmt::format("{}\n-{}\n", g.closed ? group_closed : group_begin, one_line(g.name));
  for (const wave_signal& signal : g.signals) {
    // The colour holds for one trace; the flags hold until the next ones, but may stand before each.
    if (g.colour != wave_colour::normal) text += fmt::format("[color] {}\n", static_cast<int>(g.colour));
    text += signal.words.empty() ? fmt::format("{}\n", is_bus(signal.name) ? show_bus : show_bit)
                                 : fmt::format("{}\n^1 {}\n", show_words, one_line(signal.words));
    text += one_line(signal.name) + '\n';
  }
  for (const wave_group& inner : g.groups) text += group_lines(inner);
  return text + fmt::format("{}\n-{}\n", g.closed ? group_end_closed : group_end, one_line(g.name));
}

}  // namespace

void write_gtkw(const std::string& path, const std::string& waveform, const std::vector<wave_group>& groups,
                const std::vector<wave_marker>& markers, std::uint64_t cycle,
                const std::vector<std::string>& open) {
  const std::uint64_t before = 10 * cycle;
  const std::uint64_t first = markers.empty() ? 0 : markers.front().time;
  std::string text = "[*]\n[*] Spillway\n[*]\n";
  text += "[dumpfile] " + quoted(waveform) + "\n";
  text += "[savefile] " + quoted(std::filesystem::path(path).filename().string()) + "\n";
  text += fmt::format("[timestart] {}\n[size] 1400 800\n[pos] -1 -1\n", first > before ? first - before : 0);
  text += marker_lines(markers, cycle);
  for (const std::string& scope : open) text += "[treeopen] " + one_line(scope) + ".\n";
  text += "[sst_expanded] 1\n[signals_width] 320\n";
  for (const wave_group& g : groups) text += group_lines(g);
  text += "[pattern_trace] 1\n[pattern_trace] 0\n";
  write_file(path, text);
}

std::vector<std::string> vcd_signals(const std::string& path) {
  std::vector<std::string> signals;
  for (const vcd_variable& v : vcd_variables(path)) signals.push_back(v.full_name());
  return signals;
}

}  // namespace spillway
