#pragma once
#include <filesystem>
#include <set>
#include <spillway/platforms/elaborate/platform.hpp>
#include <spillway/tb/report/gtkw.hpp>
#include <string>
#include <utility>
#include <vector>

namespace spillway {

/// Which signals, and which part of the run.
struct waveform_config {
  std::filesystem::path file;
  std::vector<std::string> signals;   ///< globs on hierarchical names, such as `network.link_switch_3_*`
  std::uint64_t from = 0, until = 0;  ///< cycles [from, until); until = 0: to the end
  std::uint64_t limit = 0;            ///< bytes at which it ends, checked between two steps; 0: none
};

/// A VCD of chosen signals of a platform on the signals kernel, with a GTKWave save file beside it that
/// has a group for each link and marks violations. Written under a temporary name and renamed at the end.
class waveform {
public:
  /// Throws config_error if the file cannot be written or no signal is chosen.
  waveform(const waveform_config& config, platform& network);
  ~waveform();
  waveform(const waveform&) = delete;
  waveform& operator=(const waveform&) = delete;

  /// Runs the platform, and opens and closes the file on the way.
  void run(std::uint64_t cycles);
  /// A marker, and the link in red.
  void mark(std::uint64_t cycle, const std::string& name, const std::string& link);
  /// Leaves no file if the run has ended before its first cycle.
  void finish();
  /// The cycle at which the limit has ended it; 0 if it has not.
  std::uint64_t cut_at() const { return cut_at_; }

private:
  void open();
  void close();
  wave_group group_of(const network_link& l) const;
  std::vector<wave_group> groups() const;

  const waveform_config config_;
  platform& network_;
  std::vector<std::pair<const network_link*, std::vector<link_signal>>> traced_;  // by link
  std::filesystem::path partial_;
  std::vector<wave_marker> markers_;
  std::set<std::string> marked_links_;
  sc_core::sc_trace_file* trace_ = nullptr;
  std::uint64_t cut_at_ = 0;
  bool over_ = false, complete_ = false;
};

}  // namespace spillway
