#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <spillway/platforms/elaborate/interface_chain.hpp>
#include <spillway/tb/experiment/read_traffic.hpp>
#include <spillway/tb/traffic/answering_supply.hpp>
#include <spillway/tb/traffic/entries.hpp>

namespace spillway {

namespace {

using nlohmann::json;
using pointer = json::json_pointer;

std::uint32_t terminals_of(const experiment& e) {
  return static_cast<std::uint32_t>(e.network.shape.terminals.size());
}

/// Packets outside the protocol of their interfaces.
void read_bypass(experiment& e, const document& file, const catalogue& all, const pointer& at,
                 traffic_entry& entry) {
  const packet_requests known = requests_of(all, e.network.config);
  if (!known.unordered) file.fail(at, known.no_unordered);
  entry.interface_word = known.unordered;
  e.keeps_order = false;
}

/// `length`, a number or a list with `weights`; `otherwise` when it is left out.
packet_lengths read_lengths(const document& file, const pointer& at, unsigned otherwise) {
  const json& section = file.root.at(at);
  const auto weights = section.at("weights").get<std::vector<double>>();
  const bool mixed = section.contains("length") && section.at("length").is_array();
  const std::size_t wanted = mixed ? section.at("length").size() : 0;
  if (!weights.empty() && weights.size() != wanted)
    file.fail(at / "weights", fmt::format("every length of the list has a weight: expected {}, found {}",
                                          wanted, weights.size()));
  if (!weights.empty() && *std::max_element(weights.begin(), weights.end()) <= 0)
    file.fail(at / "weights", "expected some weight above 0");
  if (!mixed) return static_cast<std::uint16_t>(section.value("length", otherwise));
  return {section.at("length").get<std::vector<std::uint16_t>>(),
          weights.empty() ? std::vector<double>(wanted, 1) : weights};
}

/// `terminals`, a list or a share of those without a part of a workload; empty: all of these.
std::vector<bool> read_senders(const experiment& e, const document& file, const pointer& at,
                               std::size_t number) {
  if (!file.root.contains(at)) return {};
  const json& wanted = file.root.at(at);
  const std::uint32_t terminals = terminals_of(e);
  const auto works = [&e](std::uint32_t t) { return !e.on_workload.empty() && e.on_workload[t]; };
  std::vector<bool> senders(terminals);
  if (wanted.is_array()) {
    for (const std::uint32_t t : terminals_at(file, at, terminals)) {
      if (works(t)) file.fail(at, fmt::format("terminal {} has a part of the workload: expected others", t));
      senders[t] = true;
    }
    return senders;
  }
  std::vector<std::uint32_t> idle;
  for (std::uint32_t t = 0; t < terminals; ++t)
    if (!works(t)) idle.push_back(t);
  const std::vector<bool> chosen =
      choose_terminals(wanted, static_cast<std::uint32_t>(idle.size()),
                       make_stream(e.seed, number, purpose_of(purpose::shares, 0)));
  for (std::size_t i = 0; i < idle.size(); ++i) senders[idle[i]] = chosen[i];
  return senders;
}

/// By number; `chosen` as read_senders() says.
std::vector<std::uint32_t> list_senders(const experiment& e, const std::vector<bool>& chosen) {
  std::vector<std::uint32_t> senders;
  for (std::uint32_t t = 0; t < terminals_of(e); ++t)
    if (chosen.empty() ? e.on_workload.empty() || !e.on_workload[t] : chosen[t]) senders.push_back(t);
  return senders;
}

traffic_entry read_entry(experiment& e, const document& file, const catalogue& all, std::size_t number) {
  const pointer at = pointer("/traffic") / number;
  const json& section = file.root.at(at);
  traffic_entry entry;
  entry.senders = read_senders(e, file, at / "terminals", number);
  const traffic_context context{
      file, at, terminals_of(e), e.seed, e.stopped, number, list_senders(e, entry.senders)};
  entry.start = section.at("start");
  entry.messages = section.value("messages", std::uint64_t{0});
  entry.cycles = section.value("cycles", std::uint64_t{0});
  entry.lengths = read_lengths(file, at, e.packet_length);
  if (section.at("bypass")) read_bypass(e, file, all, at / "bypass", entry);
  const pattern_entry& where = all.of<pattern_entry>().chosen(section);
  entry.where = made_by(where, where.make(context));
  entry.message = section.at("message");
  const double flits = entry.lengths.mean() * entry.message;
  const offered_load load{entry.where->rate(section.at("rate"), flits), flits};
  entry.when = entry.where->times();
  if (entry.message > 1 && (entry.when || entry.where->packets() != pattern::never))
    file.fail(at / "message", "the pattern says how many packets go where and when: expected 1");
  const injection_entry& when = all.of<injection_entry>().chosen(section);
  if (!entry.when) entry.when = made_by(when, when.make(context, load));
  return entry;
}

/// What an entry means for the rest of the experiment.
void take_notice(experiment& e, const traffic_entry& entry) {
  for (const std::uint32_t t : entry.where->hotspots()) e.hot[t] = true;
  unsigned& longest = e.network.config.packet_length;
  longest = std::max({longest, unsigned{entry.lengths.longest()}, entry.where->longest_packet()});
}

void add_to_measure(experiment& e, const std::shared_ptr<const pattern>& where) {
  if (!where->measure(measured_part(e))) return;
  e.measures.emplace_back(
      [where, context = measured_part(e), tree = e.software.tree] { return where->measure(context); });
}

void check_end(const experiment& e, const document& file, const pointer& at, const traffic_entry& entry,
               bool last) {
  if (entry.ends()) return;
  if (!last)
    file.fail(at, "this entry never ends, so the next never begins: expected 'messages' or 'cycles'");
  if (!e.measure.cycles)
    file.fail(at, "this entry never ends: expected 'messages' or 'cycles' here, or 'measure.cycles'");
}

using streams = std::map<unsigned, std::shared_ptr<traffic_list>>;  // by number

std::unique_ptr<timed_supply> supply_of_streams(const streams& lists, std::uint32_t terminal,
                                                std::uint64_t seed) {
  std::vector<std::unique_ptr<timed_supply>> supplies;
  for (const auto& [number, list] : lists)
    supplies.push_back(std::make_unique<traffic_supply>(list, terminal, seed, number));
  if (supplies.size() == 1) return std::move(supplies.front());
  return std::make_unique<merged_supply>(std::move(supplies));
}

}  // namespace

void read_traffic(experiment& e, const document& file, const catalogue& all) {
  const json& list = file.root.at("traffic");
  if (list.empty() && file.root.at("interface").at("kind") == "plain")
    file.fail(pointer("/traffic"), "the terminals have nothing to send: expected an entry");
  streams lists;
  std::map<unsigned, std::size_t> last;  // entry of each stream
  for (std::size_t i = 0; i < list.size(); ++i) last[list[i].at("stream")] = i;
  std::set<std::string> measured;  // patterns: the first entry of each tells how
  for (std::size_t i = 0; i < list.size(); ++i) {
    const unsigned stream = list[i].at("stream");
    traffic_entry entry = read_entry(e, file, all, i);
    take_notice(e, entry);
    if (measured.insert(list[i].at("pattern")).second) add_to_measure(e, entry.where);
    check_end(e, file, pointer("/traffic") / i, entry, last[stream] == i);
    auto& entries = lists[stream];
    if (!entries) entries = std::make_shared<traffic_list>();
    entries->push_back(std::move(entry));
  }
  if (lists.empty()) lists[0] = std::make_shared<traffic_list>();
  e.supply = answered(
      [lists, seed = e.seed](std::uint32_t terminal) { return supply_of_streams(lists, terminal, seed); },
      e.replies);
}

}  // namespace spillway
