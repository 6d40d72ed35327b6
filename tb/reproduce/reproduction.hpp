#pragma once
#include <map>
#include <spillway/platforms/config/document.hpp>
#include <spillway/tb/reproduce/expression.hpp>
#include <spillway/tb/sweep/join.hpp>
#include <spillway/tb/sweep/plan.hpp>
#include <string>
#include <vector>

namespace spillway {

/// One claim and what came of it.
struct judged_claim {
  std::string words, value;
  std::string known;     ///< why it is known not to hold; empty: it should
  bool skipped = false;  ///< only for full size, and this is not
  std::vector<comparison> comparisons;
  verdict result = verdict::unmeasured;

  /// Whether nothing is wrong: it holds, or it is known not to. A quick run is too small to settle what is
  /// inside the noise, and too small for the finding of a known claim.
  bool met(bool quick) const;
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

private:
  void evaluate_formulas();
  void check_claims() const;
  template <class Lookup>
  std::vector<comparison> judge_at(std::size_t claim, const Lookup& measured) const;
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

/// `spillway theory` with arguments as a file has them: names and values.
nlohmann::json evaluate_formula(const std::string& model, const nlohmann::json& arguments);

}  // namespace spillway
