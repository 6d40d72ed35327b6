#include <algorithm>
#include <charconv>
#include <limits>
#include <spillway/platforms/config/yaml_reader.hpp>
#include <string_view>

namespace spillway {

namespace {

bool all(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

/// An integer, or a float when it does not fit into 64 bits.
nlohmann::json integer(std::string_view digits, bool negative, int base) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, value, base).ec == std::errc{}) {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value <= largest)
      return negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
    if (!negative) return value;
    if (value == largest + 1) return std::numeric_limits<std::int64_t>::min();
  }
  double wide = 0;
  for (const char c : digits) wide = wide * base + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  return negative ? -wide : wide;
}

/// True for (\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool looks_like_float(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  const auto exponent = text.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    auto power = text.substr(exponent + 1);
    if (!power.empty() && (power[0] == '+' || power[0] == '-')) power.remove_prefix(1);
    if (!all(power, digits)) return false;
    text = text.substr(0, exponent);
  }
  const auto point = text.find('.');
  if (point == std::string_view::npos) return all(text, digits);
  const auto whole = text.substr(0, point), fraction = text.substr(point + 1);
  if (whole.empty()) return all(fraction, digits);
  return all(whole, digits) && (fraction.empty() || all(fraction, digits));
}

}  // namespace

nlohmann::json plain_scalar(const std::string& text) {
  const auto is = [&](std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
  };
  if (is({"", "~", "null", "Null", "NULL"})) return nullptr;
  if (is({"true", "True", "TRUE"})) return true;
  if (is({"false", "False", "FALSE"})) return false;
  if (is({".nan", ".NaN", ".NAN"})) return std::numeric_limits<double>::quiet_NaN();

  std::string_view rest = text;
  if (rest.substr(0, 2) == "0x" && all(rest.substr(2), "0123456789abcdefABCDEF"))
    return integer(rest.substr(2), false, 16);
  if (rest.substr(0, 2) == "0o" && all(rest.substr(2), "01234567")) return integer(rest.substr(2), false, 8);
  const bool negative = rest[0] == '-';
  if (negative || rest[0] == '+') rest.remove_prefix(1);
  if (all(rest, "0123456789")) return integer(rest, negative, 10);
  if (rest == ".inf" || rest == ".Inf" || rest == ".INF") {
    const double infinity = std::numeric_limits<double>::infinity();
    return negative ? -infinity : infinity;
  }
  if (!looks_like_float(rest)) return text;
  double value = 0;
  if (std::from_chars(rest.data(), rest.data() + rest.size(), value).ec == std::errc::result_out_of_range)
    value = rest.find('-') == std::string_view::npos ? std::numeric_limits<double>::infinity() : 0.0;
  return negative ? -value : value;
}

}  // namespace spillway
