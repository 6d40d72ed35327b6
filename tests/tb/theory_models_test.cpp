// Some models simulate: apart, as sanitizers take three minutes for them.
#include <gtest/gtest.h>

#include <spillway/tb/theory/theory.hpp>

using namespace spillway::theory;

TEST(evaluate, every_model_runs_on_its_defaults) {
  const auto models = theory_models();
  EXPECT_GE(models.size(), 2U);
  for (const auto& m : models) {
    const auto result = evaluate_theory(m.name, {});
    ASSERT_TRUE(result.is_object()) << m.name;
    EXPECT_EQ(result.at("model"), m.name);
    EXPECT_EQ(result.at("parameters").size(), m.parameters.size());
    EXPECT_GT(result.size(), 2U);
    EXPECT_FALSE(m.description.empty());
    for (const auto& p : m.parameters) EXPECT_FALSE(p.description.empty()) << p.name;
    EXPECT_EQ(result, evaluate_theory(m.name, {})) << "not the same twice";
  }
}
