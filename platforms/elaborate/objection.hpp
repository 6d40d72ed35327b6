#pragma once
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace spillway {

struct topology;

/// An experiment as entries look at it, to say what does not fit.
struct experiment_view {
  const nlohmann::json& root;  ///< valid by the schema, defaults filled in
  const topology& shape;       ///< at the transaction level without switches
};

/// What is wrong, and where.
struct objection {
  std::string at;    ///< JSON pointer, such as `/interface/map`
  std::string what;  ///< what was found and what was expected
};

/// An objection that is thrown, from where there is no file to name the place in.
class objection_error : public std::invalid_argument {
public:
  objection_error(std::string at, const std::string& what)
      : std::invalid_argument(what), at_(std::move(at)) {}
  const std::string& at() const { return at_; }  ///< JSON pointer

private:
  const std::string at_;
};

/// What the check() of a configuration throws, as an objection to the key `at`; none if all is well.
template <class Config>
std::vector<objection> objections_to(const Config& config, const std::string& at) {
  try {
    config.check();
  } catch (const std::invalid_argument& error) {
    return {{at, error.what()}};
  }
  return {};
}

}  // namespace spillway
