#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <spillway/tb/experiment/network_load.hpp>
#include <string>

namespace spillway {

network_load::network_load(const platform& network, const topology& shape,
                           const std::vector<std::unique_ptr<stepped>>& checkers)
    : network_(network),
      shape_(shape),
      levels_(network.switches().size()),
      filled_(levels_.size()),
      overfull_(levels_.size()) {
  std::unordered_map<std::string, const link_counter*> by_path;
  for (const auto& checker : checkers)
    if (const auto* const counter = dynamic_cast<const link_counter*>(checker.get()))
      by_path.emplace(counter->counted_link(), counter);
  const auto find = [&by_path](const network_link& l) {
    const auto found = by_path.find(l.path());
    return found == by_path.end() ? nullptr : found->second;
  };
  for (const network_link* const l : network.links()) counters_.push_back(find(*l));
  for (const network_edge& e : network.edges()) {
    edge_of_.emplace(e.link, edge_counters_.size());
    edge_counters_.push_back(find(*e.link));
  }
}

network_load::counted network_load::count() const {
  counted now;
  now.cycle = network_.cycle();
  for (const link_counter* const c : counters_) now.links.push_back(c ? c->counts() : link_counts{});
  for (const auto& s : network_.switches()) now.forwarded.push_back(s->forwarded());
  now.forwarded_by_all = network_.forwarded();
  return now;
}

void network_load::begin() {
  first_ = count();
  begun_ = true;
}

void network_load::end() {
  last_ = count();
  ended_ = true;
}

void network_load::sample(const violation_handler& handler) {
  const std::uint64_t cycle = network_.cycle();
  const bool measured = begun_ && cycle > first_.cycle && (!ended_ || cycle <= last_.cycle);
  samples_ += measured;
  for (std::size_t s = 0; s < levels_.size(); ++s) {
    levels_[s] = network_.switches()[s]->level();
    check_room(s, cycle, handler);
    if (!measured) continue;
    filled_[s].sum += levels_[s];
    filled_[s].most = std::max(filled_[s].most, levels_[s]);
  }
}

void network_load::check_room(std::size_t number, std::uint64_t cycle, const violation_handler& handler) {
  const network_block& s = *network_.switches()[number];
  if (overfull_[number] || (s.stored() <= s.capacity() && s.fullest() <= 1)) return;
  overfull_[number] = true;
  report_violation(
      handler, "RM1", s.name(), cycle,
      fmt::format("it holds {} flits and has places for {}; its fullest queue is full to {:.0f} %",
                  s.stored(), s.capacity(), 100 * s.fullest()));
}

std::string network_load::name_of(int switch_number, int terminal) const {
  if (terminal >= 0) return shape_.name(shape_.terminals[static_cast<std::size_t>(terminal)]);
  return network_.switches()[static_cast<std::size_t>(switch_number)]->basename();
}

link_record network_load::row_of(std::size_t link, const counted& last) const {
  const network_link& l = *network_.links()[link];
  link_record row{l.path(), l.kind(), {}, {}};
  if (const auto found = edge_of_.find(&l); found != edge_of_.end()) {
    const network_edge& e = network_.edges()[found->second];
    row.from = name_of(e.from_switch, e.from_terminal);
    row.to = name_of(e.to_switch, e.to_terminal);
  }
  if (!counters_[link] || !begun_) return row;
  row.flits = static_cast<double>(last.links[link].flits - first_.links[link].flits);
  row.blocked = static_cast<double>(last.links[link].blocked - first_.links[link].blocked);
  if (last.cycle > first_.cycle) row.utilisation = row.flits / static_cast<double>(last.cycle - first_.cycle);
  return row;
}

void network_load::add_blocked(std::vector<switch_record>& rows,
                               const std::vector<link_record>& links) const {
  const auto add = [&rows](int number, double switch_record::*sum, double blocked) {
    if (number < 0) return;
    double& all = rows[static_cast<std::size_t>(number)].*sum;
    all = (std::isnan(all) ? 0 : all) + blocked;
  };
  for (std::size_t i = 0; i < network_.edges().size(); ++i) {
    const network_edge& e = network_.edges()[i];
    const double blocked = links[i].blocked;
    if (e.first) add(e.from_switch, &switch_record::blocked_out, blocked);
    if (e.last) add(e.to_switch, &switch_record::blocked_in, blocked);
  }
}

void network_load::report(run_record& record) const {
  const counted last = ended_ ? last_ : count();
  std::vector<link_record> rows;  // of all links: those of the networks come first
  for (std::size_t i = 0; i < counters_.size(); ++i) rows.push_back(row_of(i, last));
  for (std::size_t s = 0; s < levels_.size(); ++s) {
    switch_record row;
    row.name = network_.switches()[s]->basename();
    row.stage = shape_.g[shape_.switches[s % shape_.switches.size()]].stage;
    row.capacity = network_.switches()[s]->capacity();
    if (begun_) row.flits = last.forwarded[s] - first_.forwarded[s];
    if (samples_) {
      row.mean_occupancy = static_cast<double>(filled_[s].sum) / static_cast<double>(samples_);
      row.greatest_occupancy = filled_[s].most;
    }
    record.switch_rows.push_back(std::move(row));
  }
  if (begun_) record.forwarded_flits = static_cast<double>(last.forwarded_by_all - first_.forwarded_by_all);
  add_blocked(record.switch_rows, rows);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (i < edge_counters_.size() || counters_[i]) record.link_rows.push_back(std::move(rows[i]));
}

}  // namespace spillway
