#pragma once
#include <cmath>
#include <memory>
#include <spillway/hw/packet/threshold_admission.hpp>
#include <spillway/platforms/config/schema.hpp>
#include <spillway/platforms/packet/buffer_entries.hpp>
#include <stdexcept>

namespace spillway {

class dynamic_limit final : public assignment_entry {
public:
  dynamic_limit() : assignment_entry("dynamic_threshold") {}

  nlohmann::json schema() const override {
    return parse_schema(R"json({
      "description": "A flit may take any free place while those with flits for its output are fewer than alpha times the free ones (Choudhury and Hahne, 1998).",
      "properties": {
        "alpha": {
          "type": ["number", "array"],
          "exclusiveMinimum": 0,
          "maximum": 65535,
          "minItems": 2,
          "maxItems": 2,
          "items": { "type": "integer", "minimum": 1, "maximum": 65535 },
          "default": 1,
          "description": "Places of a queue for each free one: a whole number, one in steps of 1/1024, or a ratio [numerator, denominator]."
        }
      }
    })json");
  }
  void configure(const nlohmann::json& parameters, buffer_pool_config& pool) const override {
    pool.admission = std::make_shared<dynamic_threshold>(ratio_of(parameters.at("alpha")));
  }

private:
  static dynamic_threshold::ratio ratio_of(const nlohmann::json& alpha) {
    if (alpha.is_array()) return {alpha.at(0).get<std::uint32_t>(), alpha.at(1).get<std::uint32_t>()};
    double numerator = alpha.get<double>();
    std::uint32_t denominator = 1;
    while (denominator < 1024 && numerator != std::floor(numerator)) numerator *= 2, denominator *= 2;
    if (numerator != std::floor(numerator) || numerator < 1 || numerator > 65535)
      throw std::invalid_argument(
          "the hardware compares whole numbers: expected an alpha of up to 16 bits in steps of 1/1024, or a "
          "ratio such as [1, 3], found " +
          alpha.dump());
    return {static_cast<std::uint32_t>(numerator), denominator};
  }
};

}  // namespace spillway
