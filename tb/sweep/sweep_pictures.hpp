#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <spillway/tb/report/pictures.hpp>
#include <spillway/tb/sweep/join.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Results of a formula, as evaluate_theory() gives them.
using formula = std::function<nlohmann::json(const std::string& model, const nlohmann::json& arguments)>;

/// Draws one entry of a file's `pictures`: a curve a case and a setting other than x, with the 95 % interval
/// over the seeds as error bars; over time (x: cycle) the first seed's series.csv. Formulas are dashed.
/// With `relative_to`, everything as a multiple of another configuration's number, seed by seed. Throws
/// config_error for a number that no result has, and where there is nothing, or not one thing, to compare
/// with.
picture draw(const nlohmann::json& wanted, const plan_folder& plan, const result_table& results,
             const formula& theory);

/// Throws what draw() would, as far as it can be known before the runs: of settings, configurations and
/// formulas everything, of numbers a name that is nearly that of another.
void check_picture(const nlohmann::json& wanted, const plan_folder& plan, const formula& theory);

/// The path among the settings that `written` names: the path itself, or else its last parts (`rate` for
/// `traffic.0.rate`); empty if none. Throws config_error where these are the last parts of several.
std::string setting_named(const std::string& written, const nlohmann::ordered_json& settings);

}  // namespace spillway
