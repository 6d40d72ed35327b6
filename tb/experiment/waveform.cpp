#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
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

/// The name that a signal was declared with: the file's has "SystemC." before it, and a range or a field
/// behind.
std::string declared_name(const std::string& vcd_name, const std::map<std::string, std::size_t>& declared) {
  std::string name = vcd_name.substr(vcd_name.find('.') + 1);
  name = name.substr(0, name.find('['));
  while (!declared.count(name) && name.find('.') != std::string::npos) name.resize(name.rfind('.'));
  return name;
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
  for (const network_link* const l : network.links()) {
    auto signals = l->signals();
    signals.erase(std::remove_if(signals.begin(), signals.end(),
                                 [&](const link_signal& s) { return !chosen(s.name, config.signals); }),
                  signals.end());
    if (!signals.empty()) traced_.emplace_back(l, std::move(signals));
  }
  if (!traced_.empty()) return;
  std::filesystem::remove(partial_);
  if (network.links().empty()) throw config_error("the transaction level has no signals for a waveform");
  throw config_error(
      "no signal matches trace.signals; their names are network.link_<from>_<port>_valid, _data and _ready");
}

void waveform::open() {
  std::filesystem::path base = partial_;
  trace_ = sc_core::sc_create_vcd_trace_file(base.replace_extension().c_str());
  trace_->set_time_unit(1, sc_core::SC_PS);
  for (const auto& [l, signals] : traced_)
    for (const link_signal& s : signals) s.trace(trace_);
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
wave_group waveform::group_of(const network_link& l) const {
  if (marked_links_.count(l.path())) return {l.path(), {}, wave_colour::red, false};
  const bool sent = l.place().from_switch < 0 && l.place().to_switch >= 0;
  return {l.path(), {}, sent ? wave_colour::green : wave_colour::normal, true};
}

/// One a link, with what the file has of its signals.
std::vector<wave_group> waveform::groups() const {
  std::vector<wave_group> all;
  std::map<std::string, std::size_t> declared;  // signal to group
  for (const auto& [l, signals] : traced_) {
    for (const link_signal& s : signals) declared[s.name] = all.size();
    all.push_back(group_of(*l));
  }
  for (const std::string& signal : vcd_signals(config_.file.string()))
    all[declared.at(declared_name(signal, declared))].signals.push_back(signal);
  return all;
}

void waveform::finish() {
  if (trace_) close();
  if (!over_) return;  // trace.from has not been reached
  if (!complete_) throw io_error(config_.file.string() + ": cannot write all of the waveform");
  std::filesystem::rename(partial_, config_.file);
  std::filesystem::path save = config_.file;
  write_gtkw(save.replace_extension(".gtkw").string(), config_.file.filename().string(), groups(), markers_);
}

}  // namespace spillway
