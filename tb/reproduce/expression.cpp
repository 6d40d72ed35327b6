#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <spillway/tb/reproduce/expression.hpp>

namespace spillway {

namespace {

using row = measured_row;

quantity constant(double value) { return {{{value}, {}}}; }

/// Seed by seed; a single value goes with all, unless it is that of a seed.
template <class Operation>
row combine(const row& a, const row& b, Operation f) {
  const std::vector<double>&x = a.values, &y = b.values;
  const auto goes_with_all = [](const row& r) { return r.values.size() == 1 && !r.by_seed; };
  if (x.size() != y.size() && !goes_with_all(a) && !goes_with_all(b))
    throw expression_error(
        fmt::format("found sides with {} and {} seeds, expected as many", x.size(), y.size()));
  row result{std::vector<double>(std::max(x.size(), y.size())), a.of, a.by_seed || b.by_seed};
  for (std::size_t i = 0; i < result.values.size(); ++i)
    result.values[i] = f(x.size() == 1 ? x[0] : x[i], y.size() == 1 ? y[0] : y[i]);
  for (const std::string& one : b.of)
    if (std::find(a.of.begin(), a.of.end(), one) == a.of.end()) result.of.push_back(one);
  return result;
}

/// Configuration by configuration; a single row goes with all.
template <class Operation>
quantity combine_all(const quantity& a, const quantity& b, Operation f) {
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1)
    throw expression_error(fmt::format(
        "found sides that stand for {} and {} configurations, expected as many", a.size(), b.size()));
  quantity result;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    result.push_back(combine(a.size() == 1 ? a[0] : a[i], b.size() == 1 ? b[0] : b[i], f));
  return result;
}

template <class Operation>
quantity reduce(const quantity& rows, Operation f) {
  row result = rows.at(0);
  for (std::size_t i = 1; i < rows.size(); ++i) result = combine(result, rows[i], f);
  return {result};
}

// Not std::min and std::max: a number that is not measured must not vanish.
double least(double a, double b) { return std::isnan(a) || std::isnan(b) ? std::nan("") : std::min(a, b); }
double most(double a, double b) { return std::isnan(a) || std::isnan(b) ? std::nan("") : std::max(a, b); }

/// One number of the seeds of each configuration.
template <class Number>
quantity over_seeds(const quantity& rows, Number f) {
  quantity result;
  for (const row& r : rows) result.push_back({{f(t_interval(r.values))}, r.of});
  return result;
}

verdict judge_row(const std::vector<double>& difference, const estimate& e, const std::string& relation) {
  if (std::any_of(difference.begin(), difference.end(), [](double d) { return std::isnan(d); }))
    return verdict::unmeasured;
  const bool zero = std::all_of(difference.begin(), difference.end(), [](double d) { return d == 0; });
  if (relation == "==") return zero ? verdict::holds : verdict::fails;
  if (zero) return relation.size() == 2 ? verdict::holds : verdict::fails;
  const double sign = relation[0] == '>' ? 1 : -1;
  const bool alone = e.count < 2 || std::isinf(e.mean);  // without an interval
  const double half = alone ? 0 : e.half_width;
  if (sign * e.mean - half > 0) return verdict::holds;
  if (sign * e.mean + half < 0) return verdict::fails;
  return verdict::noise;
}

class parser {
public:
  parser(const std::string& text, const std::function<quantity(const reference&)>& lookup)
      : text_(text), lookup_(lookup) {}

  std::vector<comparison> run() {
    std::vector<comparison> list;
    do {
      list.push_back(relation());
    } while (take_word("and"));
    skip();
    if (at_ != text_.size()) expected("an operator or the end");
    return list;
  }

  /// A value alone, without a relation.
  quantity value() {
    quantity found = sum();
    skip();
    if (at_ != text_.size()) expected("an operator or the end");
    return found;
  }

private:
  comparison relation() {
    skip();
    const std::size_t start = at_;
    const quantity left = sum();
    skip();
    std::string sign;
    for (const char* one : {"<=", ">=", "==", "<", ">"})
      if (take(one)) {
        sign = one;
        break;
      }
    if (sign.empty()) expected("one of < <= > >= ==");
    const quantity right = sum();
    comparison c;
    c.text = text_.substr(start, at_ - start);
    c.text.erase(c.text.find_last_not_of(' ') + 1);
    const quantity difference = combine_all(left, right, [](double a, double b) { return a - b; });
    for (std::size_t i = 0; i < difference.size(); ++i) {
      const estimate d = t_interval(difference[i].values);
      c.rows.push_back({t_interval(left[left.size() == 1 ? 0 : i].values),
                        t_interval(right[right.size() == 1 ? 0 : i].values), d,
                        judge_row(difference[i].values, d, sign), difference[i].of});
      if (c.rows[i].result > c.rows[c.worst].result) c.worst = i;
    }
    return c;
  }

  quantity sum() {
    quantity value = product();
    while (true) {
      skip();
      if (take("+"))
        value = combine_all(value, product(), [](double a, double b) { return a + b; });
      else if (take("-"))
        value = combine_all(value, product(), [](double a, double b) { return a - b; });
      else
        return value;
    }
  }

  quantity product() {
    quantity value = factor();
    while (true) {
      skip();
      if (take("*"))
        value = combine_all(value, factor(), [](double a, double b) { return a * b; });
      else if (take("/"))
        value = combine_all(value, factor(), [](double a, double b) { return a / b; });
      else
        return value;
    }
  }

  quantity factor() {
    skip();
    if (at_ == text_.size()) expected("a value");
    if (take("-")) {
      const nesting deeper(*this);
      return combine_all(constant(0), factor(), [](double a, double b) { return a - b; });
    }
    if (take("(")) {
      const nesting deeper(*this);
      quantity value = sum();
      close();
      return value;
    }
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return name();
    expected("a value");
  }

  quantity number() {
    double value = 0;
    const char* end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + at_, end, value);
    if (error != std::errc{}) expected("a number");
    at_ = static_cast<std::size_t>(stop - text_.data());
    return constant(value);
  }

  /// A blank before a digit is part of a name: columns of series.csv are called `occupancy.stage 0`.
  bool in_name() const {
    const auto digit = [this](std::size_t at) {
      return at < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at]));
    };
    const char c = text_[at_];
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
           (c == ' ' && digit(at_ + 1));
  }

  quantity name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && in_name()) ++at_;
    reference r{text_.substr(start, at_ - start), {}};
    skip();
    if (take("(")) return call(r.key, start);
    if (take("[")) r.selectors = selectors();
    try {
      return lookup_(r);
    } catch (const expression_error& error) {
      throw expression_error(fmt::format("at character {}: {}", start + 1, error.what()));
    }
  }

  /// What stands between brackets, parted by the commas that are not within brackets of its own.
  std::vector<std::string> selectors() {
    std::vector<std::string> list(1);
    for (int depth = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == ']' && depth == 0) {
        ++at_;
        for (std::string& one : list) {
          one.erase(0, std::min(one.find_first_not_of(' '), one.size()));
          one.erase(one.find_last_not_of(' ') + 1);
          if (one.empty()) expected("a name before the bracket or the comma");
        }
        return list;
      }
      depth += (c == '[' || c == '{') - (c == ']' || c == '}');
      if (c == ',' && depth == 0)
        list.emplace_back();
      else
        list.back() += c;
    }
    expected("]");
  }

  quantity call(const std::string& function, std::size_t start) {
    const nesting deeper(*this);
    std::vector<quantity> arguments{sum()};
    while (skip(), take(",")) arguments.push_back(sum());
    close();
    const quantity& a = arguments[0];
    const auto each = [&](double (*f)(double)) {
      return combine_all(a, constant(0), [f](double x, double) { return f(x); });
    };
    const auto plus = [](double x, double y) { return x + y; };
    if (arguments.size() == 1) {
      if (function == "abs") return each([](double x) { return std::fabs(x); });
      if (function == "sqrt") return each([](double x) { return std::sqrt(x); });
      if (function == "log2") return each([](double x) { return std::log2(x); });
      if (function == "floor") return each([](double x) { return std::floor(x); });
      if (function == "ceil") return each([](double x) { return std::ceil(x); });
      if (function == "min") return reduce(a, least);
      if (function == "max") return reduce(a, most);
      if (function == "sum") return reduce(a, plus);
      if (function == "average") return over_seeds(a, [](const estimate& e) { return e.mean; });
      if (function == "error") return over_seeds(a, [](const estimate& e) { return e.error; });
      if (function == "mean") {
        const auto n = static_cast<double>(a.size());
        return combine_all(reduce(a, plus), constant(n), [](double x, double y) { return x / y; });
      }
    }
    if (arguments.size() == 2 && function == "min") return combine_all(a, arguments[1], least);
    if (arguments.size() == 2 && function == "max") return combine_all(a, arguments[1], most);
    throw expression_error(
        fmt::format("at character {}: found {}() of {}, expected abs, sqrt, log2, floor, ceil, average, "
                    "error, mean, sum of "
                    "one or min, max of one or two",
                    start + 1, function, arguments.size()));
  }

  struct nesting {
    explicit nesting(parser& p) : depth(p.depth_) {
      if (++depth > 100) p.expected("less than 100 parentheses and signs within each other");
    }
    ~nesting() { --depth; }
    nesting(const nesting&) = delete;
    nesting& operator=(const nesting&) = delete;
    int& depth;
  };

  void close() {
    skip();
    if (!take(")")) expected(")");
  }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(const std::string& word) {
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  bool take_word(const std::string& word) {
    skip();
    return take(word);
  }
  [[noreturn]] void expected(const std::string& what) const {
    const std::string found =
        at_ < text_.size() ? fmt::format("found '{}'", text_.substr(at_, 12)) : "the expression ends";
    throw expression_error(fmt::format("at character {}: {}, expected {}", at_ + 1, found, what));
  }

  const std::string& text_;
  const std::function<quantity(const reference&)>& lookup_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

const char* to_text(verdict v) {
  switch (v) {
    case verdict::holds:
      return "holds";
    case verdict::noise:
      return "inside the noise";
    case verdict::fails:
      return "does not hold";
    case verdict::unmeasured:
      break;
  }
  return "not measured";
}

std::vector<comparison> judge(const std::string& claim,
                              const std::function<quantity(const reference&)>& lookup) {
  return parser(claim, lookup).run();
}

quantity evaluate(const std::string& expression, const std::function<quantity(const reference&)>& lookup) {
  return parser(expression, lookup).value();
}

verdict overall(const std::vector<comparison>& comparisons) {
  verdict worst = verdict::holds;
  for (const comparison& c : comparisons) worst = std::max(worst, c.rows[c.worst].result);
  return worst;
}

}  // namespace spillway
