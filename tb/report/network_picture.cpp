#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <spillway/tb/report/network_picture.hpp>
#include <spillway/tb/report/pictures.hpp>
#include <spillway/tb/report/text.hpp>

namespace spillway {

namespace {

// Pixels.
constexpr double panel_width = 160, gap = 28, side = 14, top = 48, legend_height = 30, legend_width = 460;

/// White for empty, orange for half, dark red for full: told apart in grey, too.
std::string colour(double share) {
  constexpr std::array<std::array<double, 3>, 3> scale{{{255, 255, 255}, {253, 174, 97}, {120, 0, 30}}};
  const double at = std::clamp(share, 0.0, 1.0) * 2;
  const auto low = std::min<std::size_t>(1, static_cast<std::size_t>(at));
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < 3; ++i)
    mixed[i] = static_cast<int>(
        std::lround(scale[low][i] + (scale[low + 1][i] - scale[low][i]) * (at - static_cast<double>(low))));
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

struct extent {
  unsigned columns = 1, rows = 1;
};

extent extent_of(const network_record& n) {
  extent e;
  for (const network_record::place& p : n.switches) {
    e.columns = std::max(e.columns, p.column + 1);
    e.rows = std::max(e.rows, p.row + 1);
  }
  return e;
}

double height_of(const extent& e) { return std::clamp(e.rows * 5.0, 60.0, 320.0); }

std::string text_at(double x, double y, const std::string& text, bool strong = false) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\"{}>{}</text>\n", x, y,
                     strong ? " font-weight=\"bold\"" : "", html_escape(text));
}

/// Finer than a pixel, and no longer than need be in the file.
double tenths(double value) { return std::round(value * 10) / 10; }

class panel {
public:
  panel(const network_record& n, double x, double y) : n_(n), e_(extent_of(n)), x_(x), y_(y) {}

  std::string draw(const network_record::moment& m) const {
    std::string svg = "<path stroke=\"#cccccc\" stroke-width=\"0.5\" d=\"";
    for (const auto& [from, to] : n_.links)
      svg += fmt::format("M{} {}L{} {}", column(from), row(from), column(to), row(to));
    svg += "\"/>\n";
    const double high = std::min(14.0, 0.84 * height_of(e_) / e_.rows),
                 wide = std::min(14.0, 0.6 * panel_width / e_.columns);
    std::map<std::string, std::string> outlines;  // by colour
    for (unsigned s = 0; s < n_.switches.size(); ++s)
      outlines[colour(m.fullest[s])] +=
          fmt::format("M{} {}h{:.1f}v{:.1f}h{:.1f}z", tenths(column(s) - wide / 2), tenths(row(s) - high / 2),
                      wide, high, -wide);
    for (const auto& [fill, outline] : outlines)
      svg += fmt::format("<path fill=\"{}\" stroke=\"#777777\" stroke-width=\"0.5\" d=\"{}\"/>\n", fill,
                         outline);
    return svg;
  }

private:
  double column(unsigned s) const {
    return tenths(x_ + panel_width * (n_.switches[s].column + 0.5) / e_.columns);
  }
  double row(unsigned s) const { return tenths(y_ + height_of(e_) * (n_.switches[s].row + 0.5) / e_.rows); }

  const network_record& n_;
  const extent e_;
  const double x_, y_;
};

std::string draw_legend(double y) {
  constexpr int steps = 5;
  std::string svg = text_at(side + 86, y + 12, "fullest queue of a switch:");
  for (int i = 0; i < steps; ++i) {
    const double x = side + 180 + 56 * i, share = static_cast<double>(i) / (steps - 1);
    svg += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"14\" fill=\"{}\" stroke=\"#777777\"/>\n", x, y,
        colour(share));
    svg += text_at(x + 35, y + 12, i == 0 ? "empty" : i == steps - 1 ? "full" : fmt::format("{:g}", share));
  }
  return svg;
}

}  // namespace

std::string network_caption(const std::vector<run_record>& runs) {
  std::set<std::string> words;
  std::size_t drawn = 0;
  for (const run_record& r : runs)
    if (!r.network.moments.empty()) words.insert(word_of_rows(r.occupancy.stages)), ++drawn;
  const bool stages = words.size() == 1 && *words.begin() != "column";
  return fmt::format("The network{}, its switches in columns{}, each in the colour of its fullest queue.",
                     drawn > 1 ? " of each run" : "", stages ? " by " + *words.begin() : "");
}

std::string network_svg(const std::vector<run_record>& runs) {
  std::string body;
  double x = side, lowest = 0;
  for (const run_record& r : runs) {
    const network_record& n = r.network;
    if (n.moments.empty()) continue;
    const double height = height_of(extent_of(n));
    body += text_at(x + panel_width / 2, 20, one_line(r.name), true);
    double y = top;
    for (const network_record::moment& m : n.moments) {
      body += text_at(x + panel_width / 2, y - 6, fmt::format("cycle {}", m.cycle));
      body += panel(n, x, y).draw(m);
      y += height + gap;
    }
    lowest = std::max(lowest, y);
    x += panel_width + gap;
  }
  if (body.empty()) return "";
  const double width = std::max(x, 2 * side + legend_width);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Liberation Sans, Arial, sans-serif\" "
      "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{2}{3}</svg>\n",
      width, lowest + legend_height, body, draw_legend(lowest));
}

}  // namespace spillway
