#include <fmt/format.h>

#include <cmath>
#include <spillway/platforms/config/error.hpp>
#include <spillway/tb/theory/parameters.hpp>

namespace spillway::theory {

parameter whole(std::string name, std::string description, std::int64_t initial, double least, double most) {
  return {std::move(name), std::move(description), value(initial), {range::kind::whole, least, most, {}}};
}
parameter real(std::string name, std::string description, double initial, double least, double most) {
  return {std::move(name), std::move(description), value(initial), {range::kind::real, least, most, {}}};
}
parameter word(std::string name, std::string description, std::string initial,
               std::vector<std::string> words) {
  return {std::move(name),
          std::move(description),
          value(std::move(initial)),
          {range::kind::word, 0, 0, std::move(words)}};
}
parameter seed() { return whole("seed", "seed of the random numbers", 1, 0, 4294967295.0); }

nlohmann::json number(double v) { return std::isfinite(v) ? nlohmann::json(v) : nlohmann::json(nullptr); }

void reject(const std::string& model_name, const std::string& found, const std::string& expected) {
  throw config_error(fmt::format("theory {}: found {}, expected {}", model_name, found, expected));
}

bool power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

}  // namespace spillway::theory
