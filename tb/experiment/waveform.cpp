#include <fmt/format.h>
#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <set>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/elaborate/objection.hpp>
#include <spillway/tb/experiment/waveform.hpp>
#include <spillway/tb/report/atomic_file.hpp>
#include <spillway/tb/report/fst_file.hpp>
#include <sstream>
#include <system_error>

namespace spillway {

namespace {

bool chosen(const std::string& name, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& p) { return fnmatch(p.c_str(), name.c_str(), 0) == 0; });
}

// GTKWave shows them in place of the numbers of flit_kind.
constexpr const char* kind_words = "0 data\n1 acknowledge\n2 reply\n3 combinable\n";

/// What of a flit is folded at first: what the endpoints, routings and interfaces tell each other.
bool is_detail(const std::string& field) {
  static const std::set<std::string> details{"traffic_class", "lane",           "network", "route",
                                             "marks",         "interface_word", "payload"};
  return details.count(field) != 0;
}

std::vector<std::string> split(const std::string& name) {
  std::vector<std::string> parts;
  std::istringstream in(name);
  for (std::string part; std::getline(in, part, '.');) parts.push_back(part);
  return parts;
}

template <class T>
void add_clock(std::vector<link_signal>& all, const std::string& object, const std::string& name) {
  if (auto* const found = dynamic_cast<sc_core::sc_signal_in_if<T>*>(sc_core::sc_find_object(object.c_str())))
    all.push_back({name, [found, name](sc_core::sc_trace_file* file) { sc_trace(file, *found, name); }});
}

}  // namespace

waveform::waveform(const waveform_config& config, platform& network, waveform_names names)
    : config_(config), network_(network), names_(std::move(names)) {
  // SystemC appends ".vcd" and ends the program when it cannot open the file, so this is tried first. Two
  // runs may write the same file at a time: the last is kept.
  partial_ = config.file;
  partial_.replace_extension();
  partial_ += fmt::format(".partial-{}.vcd", getpid());
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
  if (!traced_.empty()) {
    const std::string top = network.name();
    add_clock<bool>(clock_, top + ".clock", top + ".clk");
    add_clock<bool>(clock_, top + ".reset", top + ".rst");
    find_scopes();
    return;
  }
  std::filesystem::remove(partial_);
  throw objection_error(
      "/trace/signals",
      "expected a pattern that matches some signal, such as network.link_<from>_<port>_valid, "
      "_data or _ready");
}

void waveform::open() {
  start_ =
      network_.cycle() * static_cast<std::uint64_t>(network_.period() / sc_core::sc_time(1, sc_core::SC_PS));
  std::filesystem::path base = partial_;
  trace_ = sc_core::sc_create_vcd_trace_file(base.replace_extension().c_str());
  // SystemC tells of it on standard output, where --json may stand alone.
  constexpr const char* told = "tracing timescale unit set";
  const sc_core::sc_actions before =
      sc_core::sc_report_handler::set_actions(told, sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  trace_->set_time_unit(1, sc_core::SC_PS);
  sc_core::sc_report_handler::set_actions(told, sc_core::SC_INFO, before);
  for (const link_signal& s : clock_) s.trace(trace_);
  for (const auto& [l, signals] : traced_)
    for (const link_signal& s : signals) s.trace(trace_);
}

/// One cycle at a time until a flit is blocked for the first time.
void waveform::run_to(std::uint64_t end) {
  for (; trace_ && !blocked_ && network_.cycle() < end; network_.run(1)) {
    const auto found =
        std::find_if(traced_.begin(), traced_.end(), [](const auto& t) { return t.first->blocked(); });
    if (found == traced_.end()) continue;
    blocked_ = found->first;
    note(network_.cycle(), "blocked");
  }
  if (network_.cycle() < end) network_.run(end - network_.cycle());
}

void waveform::run(std::uint64_t cycles) {
  const std::uint64_t end = network_.cycle() + cycles;
  if (!trace_ && !over_ && config_.from < end) {
    if (config_.from > network_.cycle()) network_.run(config_.from - network_.cycle());
    open();
  }
  if (trace_ && config_.until && config_.until < end) {
    if (config_.until > network_.cycle()) run_to(config_.until);
    close();
  }
  run_to(end);
  if (trace_ && config_.limit && std::filesystem::file_size(partial_) >= config_.limit) {
    cut_at_ = network_.cycle();
    close();
  }
}

wave_marker waveform::marker(std::uint64_t cycle, const std::string& name) const {
  const double period = network_.period() / sc_core::sc_time(1, sc_core::SC_PS);
  return {static_cast<std::uint64_t>((static_cast<double>(cycle) + 0.5) * period), name};
}

bool waveform::recorded(std::uint64_t cycle) const { return !over_ && cycle >= config_.from; }

void waveform::mark(std::uint64_t cycle, const std::string& name, const std::string& link) {
  marked_links_.insert(link);
  violations_.push_back(marker(cycle, name));
}

void waveform::note(std::uint64_t cycle, const std::string& name) {
  const bool known = std::any_of(notes_.begin(), notes_.end(), [&](auto& m) { return m.name == name; });
  if (!known && recorded(cycle)) notes_.push_back(marker(cycle, name));
}

/// `p`: a head, or a delivery.
template <class Packet>
bool waveform::is_first(const Packet& p) const {
  return first_ && p.source == first_->source && p.destination == first_->destination &&
         p.packet == first_->packet && p.network == first_->network && p.kind == first_->kind;
}

void waveform::sent(std::uint64_t cycle, const flit& head) {
  if (!first_ && recorded(cycle)) first_ = head;
  if (is_first(head)) note(cycle, "sent");
}

void waveform::arrives(const delivery& d) {
  if (is_first(d)) note(d.cycle, "arrives");
}

void waveform::crosses(std::uint64_t cycle, std::uint32_t link, const flit& head) {
  if (arrived_ || !recorded(cycle)) return;
  const network_edge& e = network_.edges()[link];
  if (!first_ && e.from_terminal >= 0 && head.kind != flit_kind::acknowledge) first_ = head;
  if (!is_first(head)) return;
  way_.push_back(e.link);
  arrived_ = e.to_terminal >= 0;
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

/// `network.stage_1.switch_5.out_0` for the link `network.link_switch_5_0` of a switch of stage 1, and
/// `network.stage_1.switch_5.spill_0` for one within it.
void waveform::find_scopes() {
  std::map<std::string, std::string> stage_of;  // by name of the switch
  for (std::size_t s = 0; s < network_.switches().size(); ++s)
    stage_of[network_.switches()[s]->basename()] =
        names_.column + '_' + std::to_string(names_.stages.at(s % names_.stages.size()));
  std::map<const network_link*, const network_edge*> edge_of;
  for (const network_edge& e : network_.edges()) edge_of[e.link] = &e;
  for (const auto& [l, signals] : traced_) {
    std::vector<std::string> scopes = split(l->path());
    if (const auto found = edge_of.find(l); found != edge_of.end()) {
      const network_edge& e = *found->second;
      const bool sent = e.from_terminal >= 0;
      const std::string sender =
          sent ? "terminal_" + std::to_string(e.from_terminal)
               : network_.switches()[static_cast<std::size_t>(e.from_switch)]->basename();
      std::string port = "out_" + std::to_string(l->place().from_port);
      if (!e.first) port += e.last ? "_end" : "_buffered";  // of a long link
      if (sent && l->place().network) port = "network_" + std::to_string(l->place().network) + '_' + port;
      scopes = {scopes.front(), sent ? "terminals" : stage_of.at(sender), sender, port};
    } else if (scopes.size() > 2 && stage_of.count(scopes[1])) {
      scopes.insert(scopes.begin() + 1, stage_of.at(scopes[1]));
    }
    scopes_.push_back(std::move(scopes));
  }
}

/// From the name that SystemC has given it.
void waveform::place(vcd_variable& v, const std::map<std::string, pin>& pins) const {
  // The file has `SystemC` around all, and a scope for each part of a name before a point.
  std::string name;
  for (std::size_t i = 1; i < v.scopes.size(); ++i) name += v.scopes[i] + '.';
  name += v.name;
  std::vector<std::string> fields;
  auto found = pins.find(name);
  while (found == pins.end() && name.find('.') != std::string::npos) {
    fields.insert(fields.begin(), name.substr(name.rfind('.') + 1));
    name.resize(name.rfind('.'));
    found = pins.find(name);
  }
  if (found == pins.end()) return;  // the clock
  const std::vector<std::string>& scopes = scopes_[found->second.link];
  v.scopes.resize(1);
  v.scopes.insert(v.scopes.end(), scopes.begin(), scopes.end());
  const std::string& pin_name = found->second.name;
  if (fields.empty()) {
    v.name = pin_name;
    const auto lanes = names_.lanes.find(traced_[found->second.link].first->path());
    if (pin_name == "ready" && lanes != names_.lanes.end()) v.width = std::min(v.width, lanes->second);
  } else {
    v.name = fields.back();
    v.scopes.push_back(pin_name);
    v.scopes.insert(v.scopes.end(), fields.begin(), fields.end() - 1);
  }
}

/// Links that broke a rule are red and open, the first blocked one is orange, those that terminals send on
/// green.
wave_group waveform::group_of(std::size_t link, const std::vector<wave_signal>& signals) const {
  const network_link& l = *traced_[link].first;
  const bool sent = l.place().from_switch < 0 && l.place().to_switch >= 0;
  wave_group g{l.path(), {}, sent ? wave_colour::green : wave_colour::normal, true, {}};
  if (&l == blocked_) g.colour = wave_colour::orange;
  if (marked_links_.count(l.path())) g.colour = wave_colour::red;
  wave_group details{"more of the flit", {}, g.colour, true, {}};
  for (const wave_signal& s : signals) {
    const std::string field = s.name.substr(s.name.rfind('.') + 1);
    (is_detail(field.substr(0, field.find('['))) ? details : g).signals.push_back(s);
  }
  if (!details.signals.empty()) g.groups.push_back(std::move(details));
  return g;
}

/// Links that broke a rule, else those of the first packet's way and the first on which a flit was blocked.
std::vector<std::size_t> waveform::first_shown() const {
  constexpr std::size_t most = 3;  // that fit a screen
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < traced_.size(); ++i)
    if (marked_links_.count(traced_[i].first->path())) shown.push_back(i);
  if (!shown.empty()) return shown;
  for (const network_link* const l : way_)
    for (std::size_t i = 0; i < traced_.size() && shown.size() < most; ++i)
      if (traced_[i].first == l) shown.push_back(i);
  for (std::size_t i = 0; i < traced_.size(); ++i)
    if (traced_[i].first == blocked_ && std::find(shown.begin(), shown.end(), i) == shown.end())
      shown.push_back(i);
  for (std::size_t i = 0; i < traced_.size() && shown.empty(); ++i) shown.push_back(i);
  return shown;
}

/// Clock and reset, the links that are of interest first, and all others folded, in the scopes of the file.
std::vector<wave_group> waveform::groups(const std::vector<std::vector<wave_signal>>& signals,
                                         std::vector<wave_signal> clock) const {
  std::vector<wave_group> all;
  if (!clock.empty()) all.push_back({"clock and reset", std::move(clock), wave_colour::normal, false, {}});
  const std::vector<std::size_t> shown = first_shown();
  for (const std::size_t link : shown) {
    all.push_back(group_of(link, signals[link]));
    all.back().closed = false;
  }
  for (std::size_t link = 0; link < traced_.size(); ++link) {
    if (std::find(shown.begin(), shown.end(), link) != shown.end()) continue;
    std::vector<wave_group>* among = &all;
    for (std::size_t i = 1; i + 1 < scopes_[link].size(); ++i) {
      const std::string& name = scopes_[link][i];
      if (among->empty() || among->back().name != name)
        among->push_back({name, {}, wave_colour::normal, true, {}});
      among = &among->back().groups;
    }
    among->push_back(group_of(link, signals[link]));
  }
  return all;
}

/// Violations first: GTKWave has few.
std::vector<wave_marker> waveform::all_markers() const {
  std::vector<wave_marker> all = violations_;
  all.insert(all.end(), notes_.begin(), notes_.end());
  return all;
}

void waveform::finish() {
  if (trace_) close();
  std::filesystem::path save = config_.file, words = config_.file;
  save.replace_extension(".gtkw");
  words.replace_extension(".kind.txt");
  if (empty()) {  // and what an earlier run has left is not of this one
    for (const auto& file : {config_.file, save, words}) std::filesystem::remove(file);
    return;
  }
  if (!complete_) throw io_error(config_.file.string() + ": cannot write all of the waveform");
  std::map<std::string, pin> pins;
  for (std::size_t i = 0; i < traced_.size(); ++i)
    for (const link_signal& signal : traced_[i].second)
      pins[signal.name] = {i, signal.name.substr(traced_[i].first->path().size() + 1)};
  const std::vector<vcd_variable> variables = (config_.fst ? move_vcd_to_fst : move_vcd_variables)(
      partial_.string(), config_.file.string(), [&](vcd_variable& v) { place(v, pins); }, start_);
  std::filesystem::remove(partial_);

  std::map<std::vector<std::string>, std::size_t> link_of;  // by scopes
  for (std::size_t i = 0; i < scopes_.size(); ++i) link_of[scopes_[i]] = i;
  std::vector<std::vector<wave_signal>> signals(traced_.size());
  std::vector<wave_signal> clock;
  bool kinds = false;
  for (const vcd_variable& v : variables) {
    std::vector<std::string> scopes(v.scopes.begin() + 1, v.scopes.end());
    auto found = link_of.find(scopes);
    for (; found == link_of.end() && !scopes.empty(); found = link_of.find(scopes)) scopes.pop_back();
    const bool kind = v.name == "kind" && v.width == 4;
    kinds = kinds || kind;
    (found == link_of.end() ? clock : signals[found->second])
        .emplace_back(v.full_name(), kind ? words.filename().string() : "");
  }
  if (kinds) write_file(words.string(), kind_words);
  write_gtkw(save.string(), config_.file.filename().string(), groups(signals, std::move(clock)),
             all_markers(),
             static_cast<std::uint64_t>(network_.period() / sc_core::sc_time(1, sc_core::SC_PS)),
             {"SystemC", std::string("SystemC.") + network_.name()});
}

}  // namespace spillway
