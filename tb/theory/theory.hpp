#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The papers' formulas as models with named parameters, for the command `spillway theory` and for whoever
/// compares them with measurements. The formulas themselves are in the other headers of this folder.
namespace spillway::theory {

using value = std::variant<std::int64_t, double, std::string>;

/// What a parameter may be: a whole number or a real one within [least, most], or one of a few words.
struct range {
  enum class kind { whole, real, word } type;
  double least = 0, most = 0;
  std::vector<std::string> words;
};

/// A parameter of a model.
struct parameter {
  std::string name, description;
  std::optional<value> default_value;  ///< without one the parameter must be given
  range allowed;
};

/// Values of all parameters of a model. The accessors throw std::out_of_range for a name the model does not
/// have.
class arguments {
public:
  void set(const std::string& name, value v) { values_[name] = std::move(v); }
  bool has(const std::string& name) const { return values_.count(name) > 0; }
  std::int64_t whole(const std::string& name) const { return std::get<std::int64_t>(values_.at(name)); }
  /// A whole number that its range keeps within 32 bits.
  std::uint32_t number(const std::string& name) const { return static_cast<std::uint32_t>(whole(name)); }
  double real(const std::string& name) const { return std::get<double>(values_.at(name)); }
  const std::string& word(const std::string& name) const { return std::get<std::string>(values_.at(name)); }
  nlohmann::json to_json() const;

private:
  std::map<std::string, value> values_;
};

/// A set of formulas of a paper that share their parameters.
struct model {
  std::string name, description;
  std::vector<parameter> parameters;
  /// The results, one key each; null for one that does not exist there. Throws config_error for values that
  /// exclude each other.
  std::function<nlohmann::json(const arguments&)> evaluate;
};

/// All models, in the order of the papers.
std::vector<model> theory_models();

/// The results of `model` with `key_value` such as {"B=64", "j=4"}, and beside them "model" and "parameters",
/// every default filled in. Throws config_error for an unknown model or key (naming the nearest known one), a
/// missing, repeated or malformed value, a value of the wrong type and one out of its range.
nlohmann::json evaluate_theory(const std::string& model, const std::vector<std::string>& key_value);

}  // namespace spillway::theory

namespace spillway {
using theory::evaluate_theory;
using theory::theory_models;
}  // namespace spillway
