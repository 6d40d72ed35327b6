#include <spillway/tb/command/waveform.hpp>

#include <fnmatch.h>

#include <algorithm>
#include <cstdio>
#include <system_error>

#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/gtkw.hpp>

namespace spillway {

namespace {

bool chosen(const std::string& name, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& p) { return fnmatch(p.c_str(), name.c_str(), 0) == 0; });
}

}  // namespace

waveform::waveform(const std::filesystem::path& file, const std::vector<std::string>& patterns, platform& network)
    : file_(file) {
  // SystemC appends ".vcd" and ends the program when it cannot open the file, so this is tried first.
  std::filesystem::path base = file;
  base.replace_extension();
  base += ".partial";
  partial_ = base.string() + ".vcd";
  if (std::FILE* probe = std::fopen(partial_.c_str(), "w"))
    std::fclose(probe);
  else
    throw config_error("cannot write the waveform '" + file.string() + "': " +
                       std::generic_category().message(errno));
  std::vector<gtkw_group> groups;
  for (const platform_link& link : network.links()) {
    if (!link.signals) continue;
    gtkw_group group{link.name, {}, {}};
    const packet_signals& s = *link.signals;
    if (!trace_) {
      trace_ = sc_core::sc_create_vcd_trace_file(base.c_str());
      trace_->set_time_unit(1, sc_core::SC_PS);
    }
    if (chosen(s.valid.name(), patterns)) {
      sc_core::sc_trace(trace_, s.valid, s.valid.name());
      group.signals.push_back(s.valid.name());
    }
    if (chosen(s.data.name(), patterns)) {
      sc_trace(trace_, s.data.read(), s.data.name());
      for (const char* field : {"source", "destination", "packet", "index", "length", "lane"})
        group.signals.push_back(std::string(s.data.name()) + "." + field);
    }
    if (chosen(s.ready.name(), patterns)) {
      sc_core::sc_trace(trace_, s.ready, s.ready.name());
      group.signals.push_back(s.ready.name());
    }
    if (!group.signals.empty()) groups.push_back(std::move(group));
  }
  if (groups.empty()) {
    std::filesystem::remove(partial_);
    throw config_error("no signal matches trace.signals: links are named network.link_<from>_<port>_{valid,flit,ready}");
  }
  std::filesystem::path save = file;
  save.replace_extension(".gtkw");
  write_gtkw(save, file.filename().string(), groups);
}

waveform::~waveform() {
  if (!trace_) return;
  sc_core::sc_close_vcd_trace_file(trace_);
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

void waveform::finish() {
  sc_core::sc_close_vcd_trace_file(trace_);
  trace_ = nullptr;
  std::filesystem::rename(partial_, file_);
}

}  // namespace spillway
