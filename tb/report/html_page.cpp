#include <spillway/tb/report/chart.hpp>
#include <spillway/tb/report/html_page.hpp>
#include <spillway/tb/report/text.hpp>

namespace spillway {

namespace {

constexpr const char* style = R"(
body { margin: 2rem auto; padding: 0 1rem; max-width: 56rem; background: #fff; color: #1a1a1a;
       font: 16px/1.5 system-ui, "Liberation Sans", Arial, sans-serif; }
h1 { font-size: 1.6rem; margin-bottom: 0.2rem; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; margin: 0.5rem 0 1rem; }
caption { text-align: left; font-weight: bold; padding-bottom: 0.3rem; }
th, td { padding: 0.2rem 0.9rem 0.2rem 0; border-bottom: 1px solid #d4d4d4; text-align: left; font-weight: normal; }
thead th { border-bottom: 2px solid #555; font-weight: bold; }
.wide { overflow-x: auto; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.status { font-size: 1.1rem; margin-top: 0; }
.fault { border-left: 0.4rem solid #b00020; padding-left: 0.7rem; }
.known { border-left: 0.4rem solid #1f5fa8; padding-left: 0.7rem; }
.open { border-left: 0.4rem solid #c77700; padding-left: 0.7rem; }
.unjudged { border-left: 0.4rem solid #8a8a8a; padding-left: 0.7rem; }
.fine { border-left: 0.4rem solid #1b7f3b; padding-left: 0.7rem; }
figure { margin: 1rem 0 1.5rem; break-inside: avoid; }
figure svg { width: 100%; height: auto; }
figcaption { color: #444; font-size: 0.9rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #d4d4d4; padding: 0.8rem;
      font-size: 0.85rem; line-height: 1.35; }
tr { break-inside: avoid; }
h1 { overflow-wrap: anywhere; }
@media (max-width: 30rem) {
  body { margin: 0.8rem auto; padding: 0 0.7rem; }
  table { font-size: 0.9rem; }
  th, td { padding-right: 0.6rem; }
  th[scope=row] { white-space: nowrap; }
  figure { overflow-x: auto; }
  figure svg { min-width: 34rem; }
}
@media print { .wide { overflow-x: visible; } body { margin: 0; max-width: none; font-size: 11pt; } h2 { break-after: avoid; } }
)";

}  // namespace

std::string html_page(const std::string& title, const std::string& body) {
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<title>" + title + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n";
  return page + body + "</body>\n</html>\n";
}

std::string html_figure(const std::string& svg, const std::string& prefix, const std::string& caption,
                        bool still) {
  return (still ? "<figure class=\"still\">\n" : "<figure>\n") + inline_svg(svg, prefix, caption) +
         "\n<figcaption>" + html_escape(caption) + "</figcaption>\n</figure>\n";
}

}  // namespace spillway
