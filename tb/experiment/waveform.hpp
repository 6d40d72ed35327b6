#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/measure/scoreboard.hpp>
#include <spillway/tb/report/gtkw.hpp>
#include <spillway/tb/report/vcd_header.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// Which signals, and which part of the run.
struct waveform_config {
  std::filesystem::path file;
  bool fst = false;                   ///< in GTKWave's FST, if writes_fst(); else VCD
  std::vector<std::string> signals;   ///< globs on hierarchical names, such as `network.link_switch_3_*`
  std::uint64_t from = 0, until = 0;  ///< cycles [from, until); until = 0: to the end
  std::uint64_t limit =
      0;  ///< bytes at which it ends, checked between two steps, of FST before it is compressed; 0: none
};

/// What a waveform is told of the platform besides its signals.
struct waveform_names {
  std::vector<unsigned> stages;                ///< by switch
  std::string column = "stage";                ///< what a stage of this topology is called
  std::map<std::string, unsigned> lanes = {};  ///< by path of the link, if known: bits of `ready` that count
};

/// A VCD, or an FST file, of chosen signals of a platform on the signals kernel, in scopes as the network has
/// them: stage, switch, port. Beside it a GTKWave save file with a group a link in the same order, the links
/// of the first packet's way and the first blocked one open, clock and reset before them, and markers where
/// something happened for the first time and at violations. Written under a temporary name and renamed at the
/// end.
class waveform {
public:
  /// Throws config_error if the file cannot be written or no signal is chosen.
  waveform(const waveform_config& config, platform& network, waveform_names names);
  ~waveform();
  waveform(const waveform&) = delete;
  waveform& operator=(const waveform&) = delete;

  /// Runs the platform, and opens and closes the file on the way.
  void run(std::uint64_t cycles);
  /// A marker, and the link in red.
  void mark(std::uint64_t cycle, const std::string& name, const std::string& link);
  /// A marker, unless there is one of that name or nothing is recorded in that cycle.
  void note(std::uint64_t cycle, const std::string& name);
  /// A packet enters the network, and arrives: markers, if it is the first one.
  void sent(std::uint64_t cycle, const flit& head);
  void arrives(const delivery& d);
  /// A head crosses a link of platform::edges().
  void crosses(std::uint64_t cycle, std::uint32_t link, const flit& head);
  /// Leaves no file if the run has ended before its first cycle, an older one neither.
  void finish();
  /// The run has not come to its first cycle.
  bool empty() const { return !trace_ && !over_; }
  /// The cycle at which the limit has ended it; 0 if it has not.
  std::uint64_t cut_at() const { return cut_at_; }

private:
  struct pin {
    std::size_t link;  // of traced_
    std::string name;  // within it
  };
  void open();
  void run_to(std::uint64_t end);
  void close();
  bool recorded(std::uint64_t cycle) const;
  template <class Packet>
  bool is_first(const Packet& p) const;
  wave_marker marker(std::uint64_t cycle, const std::string& name) const;
  void find_scopes();
  void place(vcd_variable& v, const std::map<std::string, pin>& pins) const;
  wave_group group_of(std::size_t link, const std::vector<wave_signal>& signals) const;
  std::vector<wave_group> groups(const std::vector<std::vector<wave_signal>>& signals,
                                 std::vector<wave_signal> clock) const;
  std::vector<std::size_t> first_shown() const;
  std::vector<wave_marker> all_markers() const;

  const waveform_config config_;
  platform& network_;
  const waveform_names names_;
  std::vector<std::pair<const network_link*, std::vector<link_signal>>> traced_;  // by link
  std::vector<std::vector<std::string>> scopes_;                                  // of each of them
  std::vector<link_signal> clock_;
  std::filesystem::path partial_;
  std::vector<wave_marker> violations_, notes_;
  std::set<std::string> marked_links_;
  std::optional<flit> first_;             // the head that is followed
  std::vector<const network_link*> way_;  // its links
  bool arrived_ = false;
  const network_link* blocked_ = nullptr;  // the first on which a flit was blocked
  sc_core::sc_trace_file* trace_ = nullptr;
  std::uint64_t cut_at_ = 0;
  std::uint64_t start_ = 0;  // of the file, in picoseconds
  bool over_ = false, complete_ = false;
};

}  // namespace spillway
