// Methods name each other where they refuse: what one says of the others must be so.
#include "polhode/state/methods.h"

#include <gtest/gtest.h>

#include "polhode/format/language/model.h"
#include "polhode/projected/maximal/maximal_projected.h"
#include "polhode/projected/tree/integrator.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"
#include "polhode/variational/maximal/maximal_variational.h"
#include "polhode/variational/tree/tree_variational.h"

namespace polhode::study {
namespace {

bool same(const MethodFeatures& a, const MethodFeatures& b) {
  return a.loop_joints == b.loop_joints && a.constraints == b.constraints && a.kinematic == b.kinematic &&
         a.motions == b.motions && a.fast == b.fast && a.locks == b.locks && a.switching == b.switching &&
         a.auxiliary == b.auxiliary;
}

TEST(Methods, AreListedWithWhatTheirSteppersSayOfThemselves) {
  std::vector<std::string> names;
  for (const MethodEntry& method : all_methods) names.emplace_back(method.name);
  EXPECT_EQ(names, method_names());
  EXPECT_TRUE(same(all_methods[0].features, variational::TreeVariational::features));
  EXPECT_TRUE(same(all_methods[1].features, projected::Integrator::features));
  EXPECT_TRUE(same(all_methods[2].features, variational::MaximalVariational::features));
  EXPECT_TRUE(same(all_methods[3].features, projected::MaximalProjected::features));
}

/// What a method says when it refuses a model; empty when it runs it.
std::string refusal(const std::string& model, std::string_view method) {
  try {
    const State start = tree::initial_state(format::read_model(model, "test.pol").mechanism);
    const auto summary = simulate(start, {.method = std::string(method), .time = 0.01});
    return summary.completed ? "" : summary.failure;
  } catch (const std::exception& e) {
    return e.what();
  }
}

class Refusals : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(
    Models, Refusals,
    testing::Values(
        R"((system (tx "x" (mass 1)) (torsion-spring "x" 100 0) (fast "x")))", R"((system (tx "x" (mass 1)) (lock "x")))",
        R"((system (tx "x" (ty "y" (rz "a" (name "blade") (mass 1 1 1 1)))) (no-slip "blade" "blade" "ground" 1 0 0)))",
        R"((system (tx "x" (mass 1)) (constant-coordinate "x" 0 (disabled))))"));

// Every method that is named runs the model, and every method that refuses names all that run it.
TEST_P(Refusals, NameAllMethodsThatDoNotRefuse) {
  const std::string model = GetParam();
  std::vector<std::string> able;
  for (const MethodEntry& method : all_methods)
    if (refusal(model, method.name).empty()) able.emplace_back(method.name);
  ASSERT_FALSE(able.empty()) << refusal(model, "tree-projected");
  for (const MethodEntry& method : all_methods) {
    const std::string words = refusal(model, method.name);
    if (words.empty()) continue;
    for (const MethodEntry& other : all_methods) {
      if (other.name == method.name) continue;
      const bool runs = std::find(able.begin(), able.end(), other.name) != able.end();
      EXPECT_EQ(words.find(other.name) != std::string::npos, runs) << words << " " << other.name;
    }
  }
}

}  // namespace
}  // namespace polhode::study
