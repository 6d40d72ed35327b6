#include <fmt/format.h>

#include <cmath>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/html_page.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/reproduce/outline.hpp>
#include <spillway/tb/reproduce/report.hpp>

namespace spillway {

namespace {

using nlohmann::ordered_json;

/// The verdict, and what else is to say about it.
std::string verdict_text(const judged_claim& c, const findings& found) {
  const outcome o = c.comes_to();
  std::string text = to_text(o);
  if (o == outcome::unjudged) {
    const auto kept = found.kept ? found.kept->of(c.value, c.bounds) : std::nullopt;
    if (!kept) return text + "; no verdict of one is kept";
    return text + fmt::format("; {} on {}{}", to_text(*kept), found.kept->date,
                              found.kept->stale ? ", but what it depends on has changed since" : "");
  }
  if (o == outcome::undecided) return text + ", inside the noise";
  if (o != outcome::fails) return text;
  if (c.result == verdict::unmeasured) return to_text(c.result);
  if (!c.known.empty())
    text = c.result == verdict::holds ? "holds, but was known not to"
                                      : "does not hold, and is not within the bounds that were explained";
  return text;
}

struct look {
  const char* html_class;
  const char* ansi;
};
look look_of(outcome o) {
  switch (o) {
    case outcome::holds:
      return {"fine", "32"};
    case outcome::explained:
      return {"known", "34"};
    case outcome::undecided:
      return {"open", "33"};
    case outcome::unjudged:
      return {"unjudged", "90"};
    case outcome::fails:
      break;
  }
  return {"fault", "1;31"};
}

/// Both sides of a comparison for every configuration, a line each.
std::string measured_text(const std::vector<comparison>& comparisons) {
  std::string text;
  for (const comparison& one : comparisons) {
    text += fmt::format("  measured  {}\n", one.text);
    for (const comparison_row& r : one.rows) {
      text += fmt::format("            {} against {}", with_interval(r.left), with_interval(r.right));
      if (r.result != verdict::holds) text += fmt::format(": {}", to_text(r.result));
      if (!r.of.empty())
        text += r.of.size() > 3 ? fmt::format("  [of {} configurations]", r.of.size())
                                : fmt::format("  [{}]", fmt::join(r.of, "; "));
      text += '\n';
    }
  }
  return text;
}

ordered_json number(double value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(); }

ordered_json estimate_json(const estimate& e) {
  return {{"mean", number(e.mean)}, {"ci95", number(e.half_width)}, {"runs", e.count}};
}

std::string claim_html(const judged_claim& c, const findings& found) {
  std::string text =
      fmt::format("<h3>{}</h3>\n<p><code>{}</code></p>\n", html_escape(c.words), html_escape(c.value));
  text += fmt::format("<p class=\"status {}\">Verdict: <strong>{}</strong></p>\n",
                      look_of(c.comes_to()).html_class, html_escape(verdict_text(c, found)));
  if (!c.known.empty()) text += "<p>What was found: " + html_escape(c.known) + "</p>\n";
  if (c.comparisons.empty()) return text;
  text +=
      "<table>\n<thead><tr><th scope=\"col\">Comparison</th><th scope=\"col\">Left</th><th "
      "scope=\"col\">Right"
      "</th><th scope=\"col\">Left &#8722; right</th><th scope=\"col\">Verdict</th><th "
      "scope=\"col\">Configurations</th></tr></thead>\n<tbody>\n";
  for (const auto* list : {&c.comparisons, &c.found})
    for (const comparison& one : *list)
      for (const comparison_row& r : one.rows)
        text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                            html_escape(one.text), with_interval(r.left), with_interval(r.right),
                            with_interval(r.difference), to_text(r.result),
                            html_escape(fmt::format("{}", fmt::join(r.of, "; "))));
  return text + "</tbody>\n</table>\n";
}

std::string table_html(const measured_table& t) {
  std::string text = fmt::format("<table>\n<thead><tr><th scope=\"col\">{}</th>", html_escape(t.corner));
  for (const auto& c : t.columns)
    text += fmt::format("<th scope=\"col\">{}</th>", html_escape(c.at("title").get<std::string>()));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& r : t.rows) {
    text += fmt::format("<tr><td>{}</td>", html_escape(r.title));
    for (const estimate& e : r.cells) text += fmt::format("<td>{}</td>", with_interval(e));
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n";
}

std::string pictures_html(const std::vector<picture>& pictures) {
  std::string text;
  unsigned number = 0;
  try {
    for (const picture& p : pictures)
      text += html_figure(to_svg(p.drawing), fmt::format("p{}_", ++number), p.caption);
  } catch (const gnuplot_error& error) {
    return "<p>There are no pictures: " + html_escape(error.what()) + ".</p>\n";
  }
  return text;
}

}  // namespace

std::string with_interval(const estimate& e) {
  if (std::isnan(e.mean)) return "not measured";
  if (std::isinf(e.mean)) return e.mean > 0 ? "infinite" : "-infinite";
  if (!std::isfinite(e.half_width) || e.half_width == 0) return fmt::format("{:.5g}", e.mean);
  return fmt::format("{:.5g} ± {:.2g}", e.mean, e.half_width);
}

void tally::add(const findings& found) {
  for (const judged_claim& c : found.claims) {
    ++count[c.comes_to()];
    if (c.skipped && (!found.kept || found.kept->stale || !found.kept->of(c.value, c.bounds))) ++without_kept;
  }
}

std::string tally::text() const {
  std::vector<std::string> parts;
  const auto part = [&](outcome o, const char* one, const char* many) {
    const auto n = count.find(o);
    if (n != count.end()) parts.push_back(fmt::format("{} {}", n->second, n->second == 1 ? one : many));
  };
  part(outcome::holds, "holds", "hold");
  part(outcome::explained, "does not and is explained", "do not and are explained");
  part(outcome::undecided, "undecided", "undecided");
  part(outcome::unjudged, "needs full size", "need full size");
  if (without_kept) parts.back() += fmt::format(" ({} without a kept verdict)", without_kept);
  part(outcome::fails, "does not hold", "do not hold");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string claims_text(const reproduction& what, const findings& found, bool colours) {
  std::string text =
      visible(fmt::format("{}: {}{}\n  {}, {}\n", what.text("name"), what.text("title"),
                          what.quick() ? " (quick)" : "", what.text("paper"), what.text("source")));
  for (const judged_claim& c : found.claims) {
    text += visible(fmt::format("  claim     {}\n", c.words));
    text += visible(c.skipped ? fmt::format("  value     {}\n", c.value)
                              : measured_text(c.comparisons) + measured_text(c.found));
    const std::string verdict = visible(verdict_text(c, found));
    text += colours ? fmt::format("  verdict   \033[{}m{}\033[0m", look_of(c.comes_to()).ansi, verdict)
                    : "  verdict   " + verdict;
    text += c.met(what.quick()) ? "\n" : "  <<<\n";
    if (!c.known.empty()) text += visible(fmt::format("  found     {}\n", c.known));
  }
  for (const measured_table& t : found.tables)
    text += visible(fmt::format("  table     {}\n  {}\n", t.name, fmt::join(t.markdown(), "\n  ")));
  tally all;
  all.add(found);
  return text + fmt::format("  in all    {}\n", all.text());
}

namespace {

ordered_json comparisons_json(const std::vector<comparison>& comparisons) {
  ordered_json list = ordered_json::array();
  for (const comparison& cmp : comparisons)
    for (const comparison_row& r : cmp.rows)
      list.push_back({{"comparison", cmp.text},
                      {"configurations", r.of},
                      {"left", estimate_json(r.left)},
                      {"right", estimate_json(r.right)},
                      {"difference", estimate_json(r.difference)},
                      {"verdict", to_text(r.result)}});
  return list;
}

ordered_json tables_json(const std::vector<measured_table>& tables) {
  ordered_json list = ordered_json::array();
  for (const measured_table& t : tables) list.push_back({{"name", t.name}, {"markdown", t.markdown()}});
  return list;
}

}  // namespace

std::string verdicts_json(const reproduction& what, const findings& found) {
  ordered_json root;
  for (const char* key : {"name", "title", "paper", "source"}) root[key] = what.text(key);
  root["quick"] = what.quick();
  tally all;
  all.add(found);
  root["summary"] = all.text();
  root["depends"] = depends_on(what.file());
  root["claims"] = ordered_json::array();
  for (const judged_claim& c : found.claims) {
    ordered_json one{{"claim", c.words}, {"value", c.value}, {"outcome", to_text(c.comes_to())}};
    one["verdict"] = c.skipped ? "skipped" : to_text(c.result);
    one["met"] = c.met(what.quick());
    if (!c.known.empty()) {
      one["known"] = c.known;
      one["bounds"] = comparisons_json(c.found);
    }
    one["comparisons"] = comparisons_json(c.comparisons);
    root["claims"].push_back(std::move(one));
  }
  root["tables"] = tables_json(found.tables);
  root["formulas"] = what.formulas();
  return root.dump(1, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

std::string reproduction_html(const reproduction& what, const findings& found,
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
  for (const judged_claim& c : found.claims) body += claim_html(c, found);
  tally all;
  all.add(found);
  body += "<p>" + html_escape(all.text()) + "</p>\n";
  for (const measured_table& t : found.tables) body += table_html(t);
  if (!pictures.empty()) body += "<h2>Pictures</h2>\n" + pictures_html(pictures);
  if (!what.formulas().empty()) body += "<h2>Formulas</h2>\n";
  for (const auto& [name, result] : what.formulas())
    body += fmt::format("<p>{}</p>\n<pre>{}</pre>\n", html_escape(name), html_escape(result.dump(2)));
  return html_page(title + " – Spillway", body);
}

}  // namespace spillway
