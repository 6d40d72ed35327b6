#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <spillway/tb/report/chrome_trace.hpp>
#include <utility>

namespace spillway {

chrome_trace::chrome_trace(const packet_trace_config& config) : config_(config), file_(config.file) {
  file_.write("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n");
}

unsigned chrome_trace::new_track(const std::string& name) {
  const auto number = static_cast<unsigned>(tracks_.size());
  tracks_.emplace_back();
  const std::string text = nlohmann::json(name).dump();
  write(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", number, text));
  write(fmt::format(R"({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}})", number,
                    number));
  return number;
}

/// In the first row of the track that is free.
chrome_trace::place chrome_trace::slice(unsigned track, std::uint64_t from, std::uint64_t until,
                                        const std::string& name, const std::string& arguments) {
  until = std::max(until, from + 1);
  last_ = std::max(last_, until);
  place p{track, -1, from, until};
  if (cut_at_ || until <= config_.from || (config_.until && from >= config_.until)) return p;
  auto& rows = tracks_[track].rows;
  auto row = std::find_if(rows.begin(), rows.end(), [&](std::uint64_t taken) { return taken <= from; });
  if (row == rows.end()) row = rows.insert(rows.end(), 0);
  *row = until;
  p.row = static_cast<int>(std::distance(rows.begin(), row));
  write(fmt::format(
      R"({{"ph":"X","pid":{},"tid":{},"ts":{:.6f},"dur":{:.6f},"name":{},"args":{{"cycle":{},{}}}}})", track,
      p.row, static_cast<double>(from) * cycle_us_, static_cast<double>(until - from) * cycle_us_,
      nlohmann::json(name).dump(), from, arguments));
  if (config_.limit && bytes_ >= config_.limit) cut_at_ = last_;
  return p;
}

void chrome_trace::flow(const std::vector<place>& over, const std::string& name, bool from_end, bool to_end) {
  if (cut_at_) return;
  std::vector<std::pair<double, place>> seen;  // and the cycle at which it is touched
  for (const place& p : over)
    if (p.row >= 0) seen.emplace_back(static_cast<double>(p.from), p);
  if (seen.size() < 2) return;
  // Within a cycle of the slice, as an arrow touches the slice that is there at its time.
  const auto touch_end = [](auto& s) { s.first = static_cast<double>(s.second.until) - 0.5; };
  if (from_end) touch_end(seen.front());
  if (to_end) touch_end(seen.back());
  // A link may be crossed at the edge at which the transaction ends, and arrows do not go back in time.
  while (seen.size() > 2 && seen[seen.size() - 2].first > seen.back().first) seen.erase(seen.end() - 2);
  ++flows_;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto& [cycle, p] = seen[i];
    const bool first = i == 0, last = i + 1 == seen.size();
    write(fmt::format(
        R"({{"ph":"{}","id":{},"pid":{},"tid":{},"ts":{:.6f},"cat":"transaction","name":{}{}}})",
        first  ? 's'
        : last ? 'f'
               : 't',
        flows_, p.track, p.row, cycle * cycle_us_, nlohmann::json(name).dump(), last ? R"(,"bp":"e")" : ""));
  }
}

// It is called at clock edges, where SystemC would make words of its own of an exception.
void chrome_trace::write(const std::string& event) {
  if (failed_) return;
  try {
    file_.write(bytes_ ? ",\n" + event : event);
  } catch (const io_error&) {
    failed_ = std::current_exception();
  }
  bytes_ += event.size() + 2;
}

void chrome_trace::finish() {
  if (failed_) std::rethrow_exception(failed_);
  file_.write("\n]}\n");
  file_.commit();
}

}  // namespace spillway
