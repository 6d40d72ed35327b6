#pragma once
#include <cstdint>
#include <spillway/tb/report/atomic_file.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// GTKWave's colours for a signal.
enum class wave_colour { normal, red, orange, yellow, green, blue, indigo, violet };

/// A signal by the full name of the waveform file, such as `SystemC.net.sw_0.out_flit[31:0]`: a bus ends in
/// its range, as vcd_signals() gives it.
struct wave_signal {
  wave_signal(std::string full_name, std::string file = {})
      : name(std::move(full_name)), words(std::move(file)) {}
  std::string name;
  /// File beside the save file that has a word for some values, `3 reply` a line, in hexadecimal; empty:
  /// none.
  std::string words;
};

/// Signals that are shown together under a heading, and groups within it behind them.
struct wave_group {
  std::string name;
  std::vector<wave_signal> signals;
  wave_colour colour = wave_colour::normal;
  bool closed = false;  ///< folded to its heading at first
  std::vector<wave_group> groups = {};
};

/// A named point in time, in units of the waveform file's time scale. GTKWave has 26 of them.
struct wave_marker {
  std::uint64_t time = 0;
  std::string name;
};

/// Writes a save file for GTKWave 3.3: `gtkwave -a FILE` shows the groups in order with the markers, the
/// cursor and the window on the first. `waveform` is the VCD or FST file, relative to the folder of `path`.
/// `cycle`: length of a clock cycle in units of its time scale, for the zoom. `open`: scopes that the tree of
/// signals shows unfolded, such as `SystemC.net`. Markers past the 26th are left out. Throws io_error.
void write_gtkw(const std::string& path, const std::string& waveform, const std::vector<wave_group>& groups,
                const std::vector<wave_marker>& markers = {}, std::uint64_t cycle = 1000,
                const std::vector<std::string>& open = {});

/// The full names of the signals that the header of a VCD file declares, in its order, as write_gtkw()
/// takes them. Throws io_error.
std::vector<std::string> vcd_signals(const std::string& path);

}  // namespace spillway
