#pragma once
#include <filesystem>
#include <spillway/platforms/elaborate/platform.hpp>
#include <string>
#include <vector>

namespace spillway {

/// A VCD of chosen signals of a platform on the signals kernel, with a GTKWave save file beside it that
/// groups the wires of each link. Written under a temporary name and renamed at the end.
class waveform {
public:
  /// `patterns`: globs on hierarchical names, such as `network.link_switch_3_*`.
  waveform(const std::filesystem::path& file, const std::vector<std::string>& patterns, platform& network);
  ~waveform();
  waveform(const waveform&) = delete;
  waveform& operator=(const waveform&) = delete;

  void finish();

private:
  void close();

  std::filesystem::path file_, partial_;
  sc_core::sc_trace_file* trace_ = nullptr;
};

}  // namespace spillway
