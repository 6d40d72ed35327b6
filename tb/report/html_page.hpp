#pragma once
#include <string>

namespace spillway {

/// A complete page, with the style of all reports; `title` and `body` are HTML.
std::string html_page(const std::string& title, const std::string& body);

}  // namespace spillway
