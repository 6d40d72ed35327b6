#pragma once
#include <functional>
#include <spillway/tb/sweep/statistics.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace spillway {

/// A number of one configuration.
struct measured_row {
  std::vector<double> values;   ///< one a seed; a number that is known exactly has one
  std::vector<std::string> of;  ///< the configurations that it was measured with, as `loads, fifo, rate=0.2`
  bool by_seed = false;         ///< goes only with as many seeds, also where it has one
};

/// A measured number: one row for each configuration that it stands for. A number that is known exactly has
/// one.
using quantity = std::vector<measured_row>;

/// A name in an expression: `latency.mean[loads, fifo, rate=0.2]`.
struct reference {
  std::string key;                     ///< latency.mean
  std::vector<std::string> selectors;  ///< loads; fifo; rate=0.2
};

/// An expression cannot be read or evaluated; what() says why, with the position in it.
struct expression_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What became of a claim, the best first.
enum class verdict {
  holds,
  noise,       ///< the interval of the difference holds both signs
  fails,       ///< does not hold
  unmeasured,  ///< a number is missing
};
/// As words: `holds`, `inside the noise`, `does not hold`, `not measured`.
const char* to_text(verdict v);

/// What a comparison came to for one configuration.
struct comparison_row {
  estimate left, right;
  estimate difference;  ///< left - right, seed by seed
  verdict result;
  std::vector<std::string> of;  ///< the configurations of both sides
};

/// One relation of a claim.
struct comparison {
  std::string text;                  ///< as written
  std::vector<comparison_row> rows;  ///< one a configuration
  std::size_t worst = 0;             ///< the row that decides
};

/// `a < b`, or several such joined by `and`. Sides are made of numbers, names, + - * / and parentheses,
/// and of the functions abs, sqrt, log2, floor, ceil; min and max of two; min, max, mean and sum of one,
/// over the configurations that it stands for; average and error of one, its mean over the seeds and the
/// standard error of that: numbers that go with any number of seeds, as those that are written. Relations are
/// < <= > >= and ==, which wants equality seed by seed. A name that stands for several configurations makes a
/// claim on each of them.
///
/// A relation is judged by Student's t interval of the difference between its sides, paired by seed, at
/// 95 %. With one run, or without any spread, the difference itself decides.
/// @param lookup gives the values of a name; may throw expression_error
/// Throws expression_error.
std::vector<comparison> judge(const std::string& claim,
                              const std::function<quantity(const reference&)>& lookup);

/// A side of a claim alone. Throws expression_error.
quantity evaluate(const std::string& expression, const std::function<quantity(const reference&)>& lookup);

/// The verdict that decides: the worst.
verdict overall(const std::vector<comparison>& comparisons);

}  // namespace spillway
