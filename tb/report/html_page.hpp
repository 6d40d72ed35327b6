#pragma once
#include <string>

namespace spillway {

/// A complete page, with the style of all reports; `title` and `body` are HTML.
std::string html_page(const std::string& title, const std::string& body);

/// A drawing with its caption; the ids of the SVG document start with `prefix` so that several share a page.
/// `still`: shown only where no script shows more.
std::string html_figure(const std::string& svg, const std::string& prefix, const std::string& caption,
                        bool still = false);

}  // namespace spillway
