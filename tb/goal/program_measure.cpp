#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <spillway/tb/goal/goal_run.hpp>
#include <spillway/tb/goal/program_measure.hpp>
#include <spillway/tb/report/latency_meter.hpp>

namespace spillway {

namespace {

constexpr std::size_t most_rows = 64;
constexpr std::size_t most_lines = 64;  // of a table
// From a delivery until its host knows of it.
constexpr std::uint64_t time_to_hear = 3;

std::string text(std::uint64_t value) { return std::to_string(value); }

}  // namespace

program_measure::program_measure(const goal_run& run)
    : run_(run), rows_(std::min(most_rows, run.ranks().size())) {}

void program_measure::created(std::uint64_t, const flit& first) { created_ += run_.takes_part(first.source); }

void program_measure::delivered(const delivery& d) {
  if (!run_.takes_part(d.source)) return;
  ++delivered_;
  last_ = d.cycle;
}

void program_measure::write_off(std::uint64_t) { gone_ = created_ - delivered_; }

void program_measure::finish(std::uint64_t cycles) {
  over_ = run_.over();
  complaints_ = run_.complaints();
  goes_on_ = delivered_ + gone_ < created_ || cycles < last_ + time_to_hear;
  if (!over_ && run_.strays())
    complaints_ = {
        "these switches use the data of packets for themselves: a program whose ranks wait for messages does "
        "not fit them"};
  if (!over_ && delivered_ && !run_.heard())
    complaints_ = {
        "these interfaces do not tell a terminal what arrives: a program whose ranks wait for messages does "
        "not fit them"};
}

std::string program_measure::fault() const {
  if (complaints_.empty()) return {};
  if (over_) return "broken trace";
  return goes_on_ ? measurement::fault_at_rest : "stuck";
}

/// Of one step after another: from the end of one to the end of the next.
std::vector<double> program_measure::step_times() const {
  std::vector<double> times;
  std::uint64_t before = run_.start();
  for (const std::uint64_t end : run_.step_ends()) {
    times.push_back(end > before ? static_cast<double>(end - before) : 0);
    before = std::max(before, end);
  }
  return times;
}

void program_measure::count(counters& all) const {
  const auto put = [&](const char* name, auto value) {
    all[std::string("goal.") + name] = static_cast<double>(value);
  };
  rank_times sum;
  std::uint64_t operations = 0, finished = 0;
  for (const rank_state& r : run_.ranks()) {
    const rank_times t = r.times;
    sum.busy += t.busy, sum.network += t.network, sum.partner += t.partner, sum.own += t.own;
    operations += r.done;
    finished += r.over();
  }
  const auto mean = [&](std::uint64_t cycles) {
    return static_cast<double>(cycles) / static_cast<double>(run_.ranks().size());
  };
  put("completion", run_.completion());
  put("ranks", run_.ranks().size());
  put("finished", finished);
  put("operations", operations);
  put("messages", run_.messages());
  put("bytes", run_.bytes());
  put("local_messages", run_.local_messages());
  if (run_.reduces()) put("results", run_.heard());
  put("most_open", run_.most_open());
  const path_of_time& path = run_.critical_path();
  put("path.host", path.host);
  put("path.interface", path.interface);
  put("path.network", path.network);
  put("path.messages", path.messages);
  put("busy", mean(sum.busy));
  put("waits.network", mean(sum.network));
  put("waits.partner", mean(sum.partner));
  put("waits.interface", mean(sum.own));
  std::vector<double> steps = step_times();
  if (steps.empty()) return;
  put("steps", steps.size());
  put("step.mean", std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size()));
  std::sort(steps.begin(), steps.end());
  put("step.p50", steps[latency_meter::rank_of(0.5, steps.size()) - 1]);
  put("step.p99", steps[latency_meter::rank_of(0.99, steps.size()) - 1]);
  put("step.max", steps.back());
}

std::vector<std::string> program_measure::columns() const {
  std::vector<std::string> names{"goal.computing", "goal.waiting", "goal.over"};
  for (std::size_t row = 0; row < rows_; ++row) names.push_back(fmt::format("progress.{}", row));
  return names;
}

std::vector<double> program_measure::sample(std::uint64_t) {
  double computing = 0, waiting = 0, over = 0;
  std::vector<double> sums(rows_), numbers(rows_);
  const std::vector<rank_state>& ranks = run_.ranks();
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const rank_state& rank = ranks[r];
    if (rank.over())
      ++over;
    else if (rank.busy)
      ++computing;
    else
      ++waiting;
    const std::size_t row = r * rows_ / ranks.size();
    sums[row] +=
        rank.over() ? 1 : run_.plan().program->share(static_cast<std::uint32_t>(r), rank.done, rank.step);
    ++numbers[row];
  }
  std::vector<double> values{computing, waiting, over};
  for (std::size_t row = 0; row < rows_; ++row) values.push_back(sums[row] / numbers[row]);
  return values;
}

std::vector<series_picture> program_measure::pictures() const {
  const std::vector<std::string> all = columns();
  series_picture states{"ranks",
                        "Ranks with a processor at work, without, and at their end.",
                        "ranks",
                        {all.begin(), all.begin() + 3}};
  series_picture progress{"progress",
                          "How far each rank is: light at its start, dark at its end.",
                          rows_ < run_.ranks().size() ? "ranks, several a row" : "rank",
                          {all.begin() + 3, all.end()}};
  progress.heat = true;
  std::vector<series_picture> drawn{std::move(states), std::move(progress)};
  const std::vector<path_message> messages = run_.critical_path().last_messages();
  if (messages.empty()) return drawn;
  series_picture path{
      "critical_path",
      "The critical path: where what was waited for last took place. A level line is a host, a slope "
      "a message on its way.",
      "rank",
      {}};
  for (const path_message& m : messages) {
    path.x.insert(path.x.end(), {static_cast<double>(m.sent), static_cast<double>(m.arrived)});
    path.y.insert(path.y.end(), {static_cast<double>(m.from), static_cast<double>(m.to)});
  }
  drawn.push_back(std::move(path));
  return drawn;
}

std::vector<compared_number> program_measure::compared() const {
  if (run_.step_ends().empty()) return {{"goal.completion", "cycles to completion"}};
  return {{"goal.step.mean", "cycles a step, mean"}, {"goal.step.max", "cycles of the longest step"}};
}

std::vector<table_record> program_measure::tables() const {
  table_record path{
      "critical_path",
      fmt::format("The last messages of the critical path, in cycles; {} are on it",
                  run_.critical_path().messages),
      {"From rank", "To rank", "Bytes", "Handed over", "In the interface", "In the network", "Arrived"},
      {}};
  std::vector<path_message> messages = run_.critical_path().last_messages();
  if (messages.size() > most_lines) messages.erase(messages.begin(), messages.end() - most_lines);
  for (const path_message& m : messages)
    path.rows.push_back({text(m.from), text(m.to), text(m.bytes), text(m.sent), text(m.left - m.sent),
                         text(m.arrived - m.left), text(m.arrived)});
  table_record ranks{"ranks",
                     "Ranks: what they spent their cycles with, up to their end",
                     {"Rank", "Terminal", "Operations", "End", "At work", "Waits for the network",
                      "Waits for a partner", "Waits for its interface"},
                     {}};
  for (std::size_t r = 0; r < std::min(most_lines, run_.ranks().size()); ++r) {
    const rank_state& rank = run_.ranks()[r];
    const rank_times t = rank.times;
    ranks.rows.push_back({text(r), text(run_.plan().where[r]), text(rank.done),
                          text(rank.finished - run_.start()), text(t.busy), text(t.network), text(t.partner),
                          text(t.own)});
  }
  std::vector<table_record> all;
  if (!path.rows.empty()) all.push_back(std::move(path));
  all.push_back(std::move(ranks));
  return all;
}

}  // namespace spillway
