#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/experiment/waveform.hpp>
#include <spillway/tb/report/atomic_file.hpp>
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

waveform::waveform(const waveform_config& config, platform& network) : config_(config), network_(network) {
  // SystemC appends ".vcd" and ends the program when it cannot open the file, so this is tried first.
  partial_ = config.file;
  partial_.replace_extension();
  partial_ += ".partial.vcd";
  const bool folder = std::filesystem::is_directory(config.file);
  std::FILE* const probe = folder ? nullptr : std::fopen(partial_.c_str(), "w");
  if (!probe)
    throw config_error("cannot write the waveform '" + config.file.string() +
                       "': " + std::generic_category().message(folder ? EISDIR : errno));
  std::fclose(probe);
  unsigned traced = 0;
  for (const network_link* const l : network.links())
    traced += l->trace(nullptr, [&](const char* signal) { return chosen(signal, config.signals); });
  if (traced) return;
  std::filesystem::remove(partial_);
  if (network.links().empty()) throw config_error("the transaction level has no signals for a waveform");
  throw config_error(
      "no signal matches trace.signals; their names are network.link_<from>_<port>_valid, _flit and _ready");
}

void waveform::open() {
  std::filesystem::path base = partial_;
  trace_ = sc_core::sc_create_vcd_trace_file(base.replace_extension().c_str());
  trace_->set_time_unit(1, sc_core::SC_PS);
  for (const network_link* const l : network_.links())
    l->trace(trace_, [&](const char* signal) { return chosen(signal, config_.signals); });
}

void waveform::run(std::uint64_t cycles) {
  const std::uint64_t end = network_.cycle() + cycles;
  if (!trace_ && !over_ && config_.from < end) {
    if (config_.from > network_.cycle()) network_.run(config_.from - network_.cycle());
    open();
  }
  if (trace_ && config_.until && config_.until < end) {
    if (config_.until > network_.cycle()) network_.run(config_.until - network_.cycle());
    close();
  }
  network_.run(end - network_.cycle());
  if (trace_ && config_.limit && std::filesystem::file_size(partial_) >= config_.limit) {
    cut_at_ = network_.cycle();
    close();
  }
}

void waveform::mark(std::uint64_t cycle, const std::string& name, const std::string& link) {
  marked_links_.insert(link);
  const double period = network_.period() / sc_core::sc_time(1, sc_core::SC_PS);
  markers_.push_back({static_cast<std::uint64_t>((static_cast<double>(cycle) + 0.5) * period), name});
}

void waveform::close() {
  sc_core::sc_close_vcd_trace_file(trace_);
  trace_ = nullptr;
  over_ = true;
  // SystemC does not say so if it could not write all; then there is no room for an empty line, either.
  std::FILE* const file = std::fopen(partial_.c_str(), "a");
  complete_ = file && std::fputc('\n', file) != EOF;
  if (file && std::fclose(file) != 0) complete_ = false;
}

waveform::~waveform() {
  if (trace_) close();
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

/// Links that broke a rule are red and open; those that terminals send on are green.
wave_group waveform::group_of(const std::string& link) const {
  const auto ends_with_link = [&link](const std::string& marked) {
    return link.size() >= marked.size() &&
           link.compare(link.size() - marked.size(), marked.size(), marked) == 0;
  };
  if (std::any_of(marked_links_.begin(), marked_links_.end(), ends_with_link))
    return {link, {}, wave_colour::red, false};
  const bool sent = link.find("link_terminal_") != std::string::npos;
  return {link, {}, sent ? wave_colour::green : wave_colour::normal, true};
}

void waveform::finish() {
  if (trace_) close();
  if (!over_) return;  // trace.from has not been reached
  if (!complete_) throw io_error(config_.file.string() + ": cannot write all of the waveform");
  std::filesystem::rename(partial_, config_.file);
  std::vector<wave_group> groups;
  for (const std::string& signal : vcd_signals(config_.file.string())) {
    const std::string name = link_of(signal);
    if (groups.empty() || groups.back().name != name) groups.push_back(group_of(name));
    groups.back().signals.push_back(signal);
  }
  std::filesystem::path save = config_.file;
  write_gtkw(save.replace_extension(".gtkw").string(), config_.file.filename().string(), groups, markers_);
}

}  // namespace spillway
