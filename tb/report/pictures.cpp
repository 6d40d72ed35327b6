#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <spillway/tb/report/pictures.hpp>
#include <sstream>

namespace spillway {

namespace {

const column* find(const series_record& s, const char* name) {
  const auto found =
      std::find_if(s.columns.begin(), s.columns.end(), [&](auto& c) { return c.name == name; });
  return found == s.columns.end() ? nullptr : &*found;
}

/// How many neighbours become one, so that at most `points` are left.
std::size_t group_size(std::size_t values, std::size_t points) {
  return std::max<std::size_t>(1, (values + points - 1) / points);
}

constexpr std::size_t most_curves = 14;  // that can be told apart in a chart

// The last of each group of `group` neighbours: of cycles, where the group ends.
std::vector<double> ends_of_groups(const std::vector<double>& values, std::size_t group) {
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); i += group)
    result.push_back(values[std::min(values.size(), i + group) - 1]);
  return result;
}

// Means over groups of `group` neighbours; the last group may be smaller.
std::vector<double> thinned(const std::vector<double>& values, std::size_t group) {
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); i += group) {
    const std::size_t end = std::min(values.size(), i + group);
    double sum = 0;
    for (std::size_t j = i; j < end; ++j) sum += values[j];
    result.push_back(sum / static_cast<double>(end - i));
  }
  return result;
}

/// A curve over time; a single point is no line that can be seen.
draw_style style_over(const std::vector<double>& x) {
  return x.size() == 1 ? draw_style::lines_points : draw_style::lines;
}

/// A map ends with the run, although its columns are as wide as whole intervals.
void end_with(const run_record& r, chart& c) {
  const column* const cycle = find(r.series, "cycle");
  const double end = cycle && !cycle->values.empty() ? cycle->values.back() : static_cast<double>(r.cycles);
  const double whole = c.heat->x_step * static_cast<double>(c.heat->rows.front().size());
  if (end > 0 && end < whole) c.x_max = end;
}

void mark_measured_part(const run_record& r, chart& c) {
  if (r.measured_cycles == 0) return;
  if (r.measured_from != 0)
    c.markers.push_back({true, static_cast<double>(r.measured_from), "measured from"});
  const std::uint64_t end = r.measured_from + r.measured_cycles;
  if (end < r.cycles) c.markers.push_back({true, static_cast<double>(end), "to"});
}

chart time_chart(const run_record& r, const char* y_label) {
  chart c;
  c.x_label = "cycle";
  c.y_label = y_label;
  c.x_min = 0;
  if (r.cycles != 0) c.x_max = static_cast<double>(r.cycles);
  mark_measured_part(r, c);
  return c;
}

void add_packets_over_time(const run_record& r, std::vector<picture>& pictures, std::size_t points) {
  const column* cycle = find(r.series, "cycle");
  if (cycle == nullptr || cycle->values.empty()) return;
  const std::size_t group = group_size(cycle->values.size(), points);
  const std::vector<double> x = ends_of_groups(cycle->values, group);
  const double interval = static_cast<double>(std::max<std::uint64_t>(1, r.series.interval));
  const std::vector<double> lengths = thinned(lengths_of(r.series), group);

  figure f;
  f.panel_height = 280;
  chart rates = time_chart(r, "packets a cycle");
  for (const char* name : {"created", "delivered"}) {
    const column* c = find(r.series, name);
    if (c == nullptr) continue;
    std::vector<double> y = thinned(c->values, group);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] /= lengths[i];
    rates.series.push_back({name, x, std::move(y), {}, style_over(x), false});
  }
  if (!rates.series.empty()) f.panels.push_back(std::move(rates));
  if (const column* c = find(r.series, "in_flight")) {
    chart in_flight = time_chart(r, "packets in flight");
    in_flight.series.push_back({"", x, thinned(c->values, group), {}, style_over(x), false});
    f.panels.push_back(std::move(in_flight));
  }
  if (f.panels.empty()) return;
  std::string caption = fmt::format("Packets created and delivered a cycle, each point the mean of {} cycles",
                                    group * static_cast<std::size_t>(interval));
  caption += group == 1
                 ? "; packets in flight at the end of those cycles."
                 : fmt::format("; packets in flight, each point the mean of {} counts, {:.0f} cycles apart.",
                               group, interval);
  pictures.push_back({"packets", std::move(caption), std::move(f), true});
}

void add_occupancy(const run_record& r, std::vector<picture>& pictures, std::size_t points) {
  const occupancy_record& o = r.occupancy;
  if (o.rows.empty() || o.rows.front().empty()) return;
  const std::size_t group = group_size(o.rows.front().size(), points);
  chart c;
  c.x_label = "cycle";
  const std::string word = word_of_rows(o.stages);
  c.y_label = word;
  heat_map h;
  for (const auto& row : o.rows) h.rows.push_back(thinned(row, group));
  h.row_labels = o.stages;
  h.x_step = static_cast<double>(std::max<std::uint64_t>(1, o.interval) * group);
  h.label = "occupancy, 0 empty to 1 full";
  c.heat = std::move(h);
  end_with(r, c);
  mark_measured_part(r, c);
  figure f;
  f.panel_height = static_cast<unsigned>(std::clamp<std::size_t>(160 + 26 * o.rows.size(), 240, 520));
  f.panels.push_back(std::move(c));
  pictures.push_back({"occupancy",
                      o.rows.size() == 1
                          ? "Share of the buffers of all switches in use."
                          : fmt::format("Share of the buffers in use, of the switches of each {}{}.", word,
                                        word == "column" ? " of the network as it is drawn" : ""),
                      std::move(f), o.rows.size() <= most_curves});
}

/// As figure 5 of Callahan and Goldstein: white nothing, dark 20 packets or more.
void add_pending(const run_record& r, std::vector<picture>& pictures, std::size_t points) {
  heat_map h;
  std::size_t group = 1;
  for (const column& c : r.series.columns) {
    if (c.name.rfind(pending_prefix, 0) != 0 || c.values.empty()) continue;
    group = group_size(c.values.size(), points);
    h.rows.push_back(thinned(c.values, group));
  }
  if (h.rows.empty()) return;
  h.x_step = static_cast<double>(std::max<std::uint64_t>(1, r.series.interval) * group);
  h.high = 20;
  h.label = "packets, up to 20";
  chart c;
  c.x_label = "cycle";
  c.y_label = "terminal";
  c.heat = std::move(h);
  end_with(r, c);
  figure f;
  f.panel_height = 480;
  f.panels.push_back(std::move(c));
  pictures.push_back({"pending", "Packets under way to each terminal.", std::move(f)});
}

// Bins of one width, so that heights can be compared.
struct even_bins {
  std::vector<double> middle, count;
  std::uint64_t width = 1;
};

even_bins evenly(const std::vector<latency_bin>& bins) {
  constexpr std::uint64_t most_bins = 120;
  const std::uint64_t last = bins.back().value + bins.back().width - 1;
  std::uint64_t widest = 1;
  for (const latency_bin& b : bins) widest = std::max(widest, b.width);
  // Bins begin at multiples of their width, a power of two: so each lies in one bar, and bars of a flat part
  // are of one height.
  const std::uint64_t least = (last - bins.front().value) / most_bins + 1;
  const std::uint64_t width = (least + widest - 1) / widest * widest;
  const std::uint64_t first = bins.front().value / width * width;
  std::vector<double> count((last - first) / width + 1, 0.0), middle;
  for (const latency_bin& b : bins) count[(b.value - first) / width] += static_cast<double>(b.count);
  for (std::size_t i = 0; i < count.size(); ++i)
    middle.push_back(static_cast<double>(first + i * width) + static_cast<double>(width - 1) / 2);
  return {std::move(middle), std::move(count), width};
}

void add_histogram(const run_record& r, std::vector<picture>& pictures) {
  if (r.histogram.empty()) return;
  even_bins bins = evenly(r.histogram);
  chart c;
  c.x_label = "latency from creation, cycles";
  c.y_label = bins.width == 1 ? "packets" : fmt::format("packets per {} cycles", bins.width);
  c.log_y = true;
  c.y_min = 0.5;
  c.x_min = std::max(0.0, bins.middle.front() - static_cast<double>(bins.width));
  c.x_max = bins.middle.back() + static_cast<double>(bins.width);
  c.series.push_back({"", std::move(bins.middle), std::move(bins.count), {}, draw_style::boxes, false});
  c.box_width = static_cast<double>(bins.width);
  c.markers.push_back({true, r.latency.p50, "median"});
  c.markers.push_back({true, r.latency.p99, "99 %"});
  figure f;
  f.panels.push_back(std::move(c));
  pictures.push_back({"latency",
                      "How long packets took from creation to delivery; the number of packets is on a "
                      "logarithmic scale.",
                      std::move(f)});
}

/// Columns as rows of cells.
chart measured_cells(const run_record& r, const series_picture& p, std::size_t group) {
  chart c;
  c.x_label = "cycle";
  c.y_label = p.y_label;
  heat_map h;
  for (const std::string& name : p.columns)
    if (const column* const found = find(r.series, name.c_str()))
      h.rows.push_back(thinned(found->values, group));
  h.x_step = static_cast<double>(std::max<std::uint64_t>(1, r.series.interval) * group);
  h.label = "0 to 1";
  if (h.rows.empty()) return c;
  c.heat = std::move(h);
  end_with(r, c);
  return c;
}

void add_measured(const run_record& r, std::vector<picture>& pictures, std::size_t points) {
  const column* cycle = find(r.series, "cycle");
  if (cycle == nullptr || cycle->values.empty()) return;
  const std::size_t group = group_size(cycle->values.size(), points);
  const std::vector<double> x = ends_of_groups(cycle->values, group);
  for (const series_picture& p : r.pictures) {
    if (p.heat) {
      figure f;
      f.panel_height = 420;
      f.panels.push_back(measured_cells(r, p, group));
      if (f.panels.back().heat) pictures.push_back({p.name, p.caption, std::move(f)});
      continue;
    }
    chart c = time_chart(r, p.y_label.c_str());
    if (!p.x.empty()) c.series.push_back({"", p.x, p.y, {}, draw_style::lines_points, false});
    for (const std::string& name : p.columns)
      if (const column* const found = find(r.series, name.c_str()))
        c.series.push_back({name, x, thinned(found->values, group), {}, style_over(x), false});
    if (std::isfinite(p.bound)) c.markers.push_back({false, p.bound, p.bound_label});
    if (c.series.empty()) continue;
    figure f;
    f.panels.push_back(std::move(c));
    pictures.push_back({p.name, p.caption, std::move(f), p.x.empty()});
  }
}

}  // namespace

std::vector<double> lengths_of(const series_record& s) {
  const column* const cycle = find(s, "cycle");
  if (!cycle) return {};
  std::vector<double> lengths = cycle->values;
  for (std::size_t i = lengths.size(); i-- > 1;) lengths[i] -= lengths[i - 1];
  return lengths;
}

std::string word_of_rows(const std::vector<std::string>& labels) {
  std::istringstream words(labels.empty() ? "" : labels.front());
  std::string word = "row", next;
  for (std::string before; words >> next; before = next)
    if (next.find_first_not_of("0123456789") == std::string::npos) word = before;
  return word;
}

std::vector<picture> run_pictures(const run_record& record, std::size_t points) {
  std::vector<picture> pictures;
  add_packets_over_time(record, pictures, points);
  add_occupancy(record, pictures, points);
  add_pending(record, pictures, points);
  add_histogram(record, pictures);
  add_measured(record, pictures, points);
  return pictures;
}

}  // namespace spillway
