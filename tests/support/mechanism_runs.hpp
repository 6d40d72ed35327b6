#pragma once
#include <nlohmann/json.hpp>

#include "studies.hpp"

/// Runs of experiments that a test writes.
class mechanism_runs : public studies {
protected:
  nlohmann::json run(const std::string& text, const std::string& name, const std::string& more) {
    write("e.yaml", text);
    const process_result r = spillway("run e.yaml --no-report --deliveries --out " + name + " " + more);
    EXPECT_EQ(r.status, 0) << r.output;
    return nlohmann::json::parse(read_text(folder / (name + "/result.json")));
  }
  /// On all kernels, which deliver the same; the result of the fast one.
  nlohmann::json run_on_every_kernel(const std::string& text) {
    const nlohmann::json fast = run(text, "fast", "");
    for (const char* kernel : {"signals", "doubting"}) {
      run(text, kernel, std::string("--kernel ") + kernel);
      EXPECT_EQ(read_text(folder / "fast/deliveries.csv"), read_text(folder / kernel / "deliveries.csv"));
    }
    return fast;
  }
  std::string refusal(const std::string& text) {
    write("e.yaml", text);
    const process_result r = spillway("check e.yaml");
    EXPECT_EQ(r.status, 2) << r.output;
    return r.output;
  }
};
