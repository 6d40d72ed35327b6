#include <fmt/format.h>

#include <boost/locale/utf.hpp>
#include <cstdio>
#include <spillway/tb/report/text.hpp>

namespace spillway {

namespace {

/// Valid UTF-8; `other` in place of each control character but those in `kept`.
std::string clean(std::string_view text, std::string_view kept, char other) {
  std::string result;
  result.reserve(text.size());
  for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
    const char* const start = at;
    const auto c = boost::locale::utf::utf_traits<char>::decode(at, end);
    if (!boost::locale::utf::is_valid_codepoint(c)) {
      result += "\xEF\xBF\xBD";
      at = start + 1;
    } else if ((c < 0x20 || (c >= 0x7F && c < 0xA0)) &&
               kept.find(static_cast<char>(c)) == std::string_view::npos) {
      result += other;
    } else {
      result.append(start, at);
    }
  }
  return result;
}

}  // namespace

std::string one_line(std::string_view text) { return clean(text, "", ' '); }

std::string clean_text(std::string_view text) { return clean(text, "\n\t", ' '); }

std::string visible(std::string_view text) { return clean(text, "\n\t", '?'); }

void say(std::string_view text) { fmt::print("{}", visible(text)); }

void complain(std::string_view text) {
  const std::string line = visible(text) + '\n';
  std::fputs(line.c_str(), stderr);
}

std::string html_escape(std::string_view text) {
  std::string result;
  for (const char c : clean_text(text)) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

}  // namespace spillway
