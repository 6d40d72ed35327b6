#pragma once
#include <spillway/tb/theory/theory.hpp>
#include <string>
#include <vector>

namespace spillway::theory {

/// Parameters with their defaults and ranges, for who writes a model.
parameter whole(std::string name, std::string description, std::int64_t initial, double least, double most);
parameter real(std::string name, std::string description, double initial, double least, double most);
parameter word(std::string name, std::string description, std::string initial,
               std::vector<std::string> words);
parameter seed();

/// JSON has no NaN and no infinity: what does not exist is null.
nlohmann::json number(double v);

/// Throws config_error: values that exclude each other.
[[noreturn]] void reject(const std::string& model_name, const std::string& found,
                         const std::string& expected);

bool power_of_two(std::int64_t n);

}  // namespace spillway::theory
