#include <fnmatch.h>

#include <algorithm>
#include <cstdio>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/command/waveform.hpp>
#include <spillway/tb/report/gtkw.hpp>
#include <system_error>

namespace spillway {

namespace {

bool chosen(const std::string& name, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& p) { return fnmatch(p.c_str(), name.c_str(), 0) == 0; });
}

/// The link that a signal belongs to: its name without the pin.
std::string link_of(const std::string& signal) {
  for (const char* pin : {"_valid", "_flit.", "_ready"})
    if (const auto at = signal.rfind(pin); at != std::string::npos) return signal.substr(0, at);
  return signal;
}

}  // namespace

waveform::waveform(const std::filesystem::path& file, const std::vector<std::string>& patterns,
                   platform& network)
    : file_(file) {
  // SystemC appends ".vcd" and ends the program when it cannot open the file, so this is tried first.
  std::filesystem::path base = file;
  base.replace_extension();
  base += ".partial";
  partial_ = base.string() + ".vcd";
  if (std::FILE* probe = std::fopen(partial_.c_str(), "w"))
    std::fclose(probe);
  else
    throw config_error("cannot write the waveform '" + file.string() +
                       "': " + std::generic_category().message(errno));
  trace_ = sc_core::sc_create_vcd_trace_file(base.c_str());
  trace_->set_time_unit(1, sc_core::SC_PS);
  unsigned traced = 0;
  for (const link* const l : network.links())
    traced += l->trace(trace_, [&](const char* signal) { return chosen(signal, patterns); });
  if (traced == 0) {
    close();
    throw config_error(
        "no signal matches trace.signals; their names are network.link_<from>_<port>_valid, _flit and "
        "_ready");
  }
}

void waveform::close() {
  sc_core::sc_close_vcd_trace_file(trace_);
  trace_ = nullptr;
}

waveform::~waveform() {
  if (trace_) close();
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

void waveform::finish() {
  close();
  std::filesystem::rename(partial_, file_);
  std::vector<wave_group> groups;
  for (const std::string& signal : vcd_signals(file_.string())) {
    const std::string name = link_of(signal);
    if (groups.empty() || groups.back().name != name) groups.push_back({name, {}, wave_colour::normal, true});
    groups.back().signals.push_back(signal);
  }
  std::filesystem::path save = file_;
  write_gtkw(save.replace_extension(".gtkw").string(), file_.filename().string(), groups);
}

}  // namespace spillway
