#include <fmt/format.h>

#include <cmath>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/html_page.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/reproduce/report.hpp>

namespace spillway {

namespace {

using nlohmann::ordered_json;

/// The verdict, and what is said about one that was known.
std::string verdict_text(const judged_claim& c) {
  if (c.skipped) return "only judged at full size";
  std::string text = to_text(c.result);
  if (!c.known.empty()) text += c.result == verdict::fails ? " (known)" : " (known not to hold)";
  return text;
}

/// What decides: both sides of the worst comparison.
std::string measured_text(const judged_claim& c) {
  const comparison* decides = nullptr;
  for (const comparison& one : c.comparisons)
    if (!decides || one.rows[one.worst].result > decides->rows[decides->worst].result) decides = &one;
  if (!decides) return "";
  const comparison_row& r = decides->rows[decides->worst];
  return with_interval(r.left) + " against " + with_interval(r.right);
}

ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

ordered_json estimate_json(const estimate& e) {
  return {{"mean", number(e.mean)}, {"ci95", number(e.half_width)}, {"runs", e.count}};
}

std::string claim_html(const judged_claim& c, bool quick) {
  std::string text =
      fmt::format("<h3>{}</h3>\n<p><code>{}</code></p>\n", html_escape(c.words), html_escape(c.value));
  text += fmt::format("<p class=\"status {}\">Verdict: <strong>{}</strong></p>\n",
                      c.met(quick) ? "fine" : "fault", html_escape(verdict_text(c)));
  if (!c.known.empty()) text += "<p>What was found: " + html_escape(c.known) + "</p>\n";
  if (c.comparisons.empty()) return text;
  text +=
      "<table>\n<thead><tr><th scope=\"col\">Comparison</th><th scope=\"col\">Left</th><th "
      "scope=\"col\">Right"
      "</th><th scope=\"col\">Left &#8722; right</th><th scope=\"col\">Verdict</th></tr></thead>\n<tbody>\n";
  for (const comparison& one : c.comparisons)
    for (const comparison_row& r : one.rows)
      text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                          html_escape(one.text), with_interval(r.left), with_interval(r.right),
                          with_interval(r.difference), to_text(r.result));
  return text + "</tbody>\n</table>\n";
}

std::string pictures_html(const std::vector<picture>& pictures) {
  std::string text;
  unsigned number = 0;
  try {
    for (const picture& p : pictures)
      text += fmt::format("<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>\n",
                          inline_svg(to_svg(p.drawing), fmt::format("p{}_", ++number), p.caption),
                          html_escape(p.caption));
  } catch (const gnuplot_error& error) {
    return "<p>There are no pictures: " + html_escape(error.what()) + ".</p>\n";
  }
  return text;
}

}  // namespace

std::string with_interval(const estimate& e) {
  if (!std::isfinite(e.mean)) return "not measured";
  if (!std::isfinite(e.half_width) || e.half_width == 0) return fmt::format("{:.5g}", e.mean);
  return fmt::format("{:.5g} ± {:.2g}", e.mean, e.half_width);
}

std::string claims_text(const reproduction& what, const std::vector<judged_claim>& claims) {
  std::string text = fmt::format("{}: {}{}\n  {}, {}\n", what.text("name"), what.text("title"),
                                 what.quick() ? " (quick)" : "", what.text("paper"), what.text("source"));
  for (const judged_claim& c : claims) {
    text += fmt::format("  claim     {}\n  measured  {}{}{}\n  verdict   {}{}\n", c.words, c.value,
                        c.skipped ? "" : ": ", measured_text(c), verdict_text(c),
                        c.met(what.quick()) ? "" : "  <<<");
    if (!c.known.empty()) text += fmt::format("  found     {}\n", c.known);
  }
  return text;
}

std::string verdicts_json(const reproduction& what, const std::vector<judged_claim>& claims) {
  ordered_json root;
  for (const char* key : {"name", "title", "paper", "source"}) root[key] = what.text(key);
  root["quick"] = what.quick();
  root["claims"] = ordered_json::array();
  for (const judged_claim& c : claims) {
    ordered_json one{{"claim", c.words}, {"value", c.value}};
    one["verdict"] = c.skipped ? "skipped" : to_text(c.result);
    one["met"] = c.met(what.quick());
    if (!c.known.empty()) one["known"] = c.known;
    one["comparisons"] = ordered_json::array();
    for (const comparison& cmp : c.comparisons)
      for (const comparison_row& r : cmp.rows)
        one["comparisons"].push_back({{"comparison", cmp.text},
                                      {"left", estimate_json(r.left)},
                                      {"right", estimate_json(r.right)},
                                      {"difference", estimate_json(r.difference)},
                                      {"verdict", to_text(r.result)}});
    root["claims"].push_back(std::move(one));
  }
  return root.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::string reproduction_html(const reproduction& what, const std::vector<judged_claim>& claims,
                              const std::vector<picture>& pictures) {
  const std::string title = html_escape(one_line(what.text("title")));
  std::string body = fmt::format("<h1>{}</h1>\n<p>{}, {}</p>\n", title, html_escape(what.text("paper")),
                                 html_escape(what.text("source")));
  if (what.quick()) body += "<p>Quick version: smaller than the paper's experiment.</p>\n";
  if (const std::string notes = what.text("notes"); !notes.empty())
    body += "<p>" + html_escape(notes) + "</p>\n";
  body +=
      "<h2>Claims</h2>\n<p>Means over the seeds with 95 % confidence intervals (Student's t); a claim is "
      "judged "
      "by the interval of the difference between its sides, paired by seed.</p>\n";
  for (const judged_claim& c : claims) body += claim_html(c, what.quick());
  if (!pictures.empty()) body += "<h2>Pictures</h2>\n" + pictures_html(pictures);
  if (!what.formulas().empty()) body += "<h2>Formulas</h2>\n";
  for (const auto& [name, result] : what.formulas())
    body += fmt::format("<p>{}</p>\n<pre>{}</pre>\n", html_escape(name), html_escape(result.dump(2)));
  return html_page(title + " – Spillway", body);
}

}  // namespace spillway
