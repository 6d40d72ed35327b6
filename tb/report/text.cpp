#include <cstdint>
#include <spillway/tb/report/text.hpp>

namespace spillway {

namespace {

// Length of the well-formed UTF-8 sequence at `at` (RFC 3629, section 4), 0 if there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  const unsigned second = byte(at + 1);
  if (first == 0xE0 && second < 0xA0) return 0;  // longer than needed
  if (first == 0xED && second > 0x9F) return 0;  // half of a surrogate pair
  if (first == 0xF0 && second < 0x90) return 0;
  if (first == 0xF4 && second > 0x8F) return 0;  // past U+10FFFF
  return length;
}

std::string clean(std::string_view text, bool keep_layout) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    const char c = text[i];
    if (length == 0) {
      result += "\xEF\xBF\xBD";
      ++i;
      continue;
    }
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    if (control && !(keep_layout && (c == '\n' || c == '\t')))
      result += ' ';
    else
      result.append(text.substr(i, length));
    i += length;
  }
  return result;
}

}  // namespace

std::string one_line(std::string_view text) { return clean(text, false); }

std::string clean_text(std::string_view text) { return clean(text, true); }

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
