#pragma once
#include <map>
#include <spillway/platforms/config/document.hpp>
#include <spillway/tb/reproduce/expression.hpp>
#include <spillway/tb/sweep/join.hpp>
#include <spillway/tb/sweep/plan.hpp>
#include <string>
#include <vector>

namespace spillway {

/// What a claim comes to.
enum class outcome {
  holds,
  explained,  ///< does not hold, why is known, and what was found is within its bounds
  undecided,  ///< inside the noise: the claim, or the bounds of one that does not hold
  unjudged,   ///< only for full size, and this is not
  fails       ///< does not hold, or no longer deviates as was explained
};
/// As words: `holds`, `does not hold, explained`, `undecided`, `needs full size`, `does not hold`.
const char* to_text(outcome o);

/// One claim and what came of it.
struct judged_claim {
  std::string words, value;
  std::string known;                           ///< why it is known not to hold; empty: it should
  std::string bounds;                          ///< what was found instead; empty without `known`
  bool skipped = false;                        ///< only for full size, and this is not
  std::vector<comparison> comparisons, found;  ///< of `value` and of `bounds`
  verdict result = verdict::unmeasured;

  outcome comes_to() const;
  /// Whether nothing is wrong. A quick run is too small to settle what is inside the noise.
  bool met(bool quick) const;
};

/// A table of the file, measured.
struct measured_table {
  struct row {
    std::string title;
    std::vector<estimate> cells;  ///< not a number where there is none
  };
  std::string name;
  nlohmann::json columns;  ///< as in the file
  std::string corner;
  std::vector<row> rows;

  /// Its lines in Markdown.
  std::vector<std::string> markdown() const;
};

/// An experiment of a paper, from a file of the schema reproduction.schema.json.
class reproduction {
public:
  /// @param quick the smaller version. Throws config_error, also for claims that cannot be evaluated: names
  /// of groups, cases, settings and formulas are known before anything runs.
  reproduction(document file, const nlohmann::json& experiments, const std::filesystem::path& runs_folder,
               bool quick);

  const document& file() const { return file_; }
  std::string text(const char* key) const { return file_.root.value(key, ""); }
  bool quick() const { return quick_; }
  /// The file's `pictures`, for the version that this is.
  nlohmann::json pictures() const;
  const std::vector<planned_run>& runs() const { return runs_; }
  const std::map<std::string, nlohmann::json>& formulas() const { return formulas_; }
  /// The claims as the results have it. Throws config_error for a key that no result has.
  std::vector<judged_claim> judge_claims(const result_table& results) const;
  /// The tables; a quick version leaves out what it does not run. Throws config_error.
  std::vector<measured_table> measure_tables(const result_table& results) const;

private:
  using lookup = std::function<quantity(const reference&)>;

  void evaluate_formulas();
  void check_claims() const;
  void check_tables(const lookup& planned) const;
  std::vector<comparison> judge_at(std::size_t claim, const char* key, const lookup& measured) const;
  estimate cell(std::size_t table, std::size_t row, std::size_t column, const lookup& measured) const;
  quantity formula(const std::string& name) const;

  document file_;
  bool quick_;
  std::vector<planned_run> runs_;
  std::map<std::string, nlohmann::json> formulas_;
};

/// The configurations that the selectors of a reference leave: the first is the group, a further one is a
/// case or `path=value`, where the last part of a path is enough. `cycle=A..B` chooses none of them.
/// Throws expression_error.
std::vector<configuration> select_rows(const std::vector<configuration>& rows,
                                       const std::vector<std::string>& selectors);

/// Group, case and settings of a configuration: `loads, fifo, traffic.0.rate=0.2`.
std::string name_of(const configuration& c);

/// `spillway theory` with arguments as a file has them: names and values.
nlohmann::json evaluate_formula(const std::string& model, const nlohmann::json& arguments);

}  // namespace spillway
