#include "polhode/study/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polhode/format/language/model.h"
#include "polhode/spatial/rotation.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/realize.h"
#include "tests/support/paths.h"

namespace polhode::study {
namespace {

State start_of(const std::string& name) {
  const auto model = format::load_model(testing_support::model_path(name));
  State start = tree::initial_state(model.mechanism);
  tree::assemble(start, tree::given_by_model(model.mechanism));
  return start;
}
State state_of(const std::string& text) { return tree::initial_state(format::read_model(text, "m.pol").mechanism); }

/// An acceleration that is held, which only tree-projected can do.
State thrust() {
  return state_of(R"((system (body "cart" (mass 1) (inertia 1 1 1)) (joint prismatic "x" ground "cart" (at 0 0 0) (axis 1 0 0))
    (constant-acceleration "x" 0.2)))");
}

const MethodRun& run_of(const CompareResult& result, const std::string& method) {
  for (const MethodRun& run : result.runs)
    if (run.method == method) return run;
  throw std::logic_error("no run by " + method);
}

/// A box of edges 1, 2, 3 m whose matter is looked at point by point.
TEST(BodyDistance, IsTheRootMeanSquareDistanceOfTheBodysMatter) {
  const State state =
      state_of(R"((system (body "box" (mass 2) (inertia 2.16666666666666667 1.66666666666666667 0.83333333333333333)
    (com 0.1 0.2 0.3))))");
  const Transform<double> X_1{rotation_rpy(Vec3<double>{0.3, -0.2, 0.5}), {1, 2, 3}};
  const Transform<double> X_2{rotation_rpy(Vec3<double>{-0.9, 0.4, 1.5}), {1.1, 1.8, 3.3}};
  // Midpoint rule on n^3 cells: second moments are exact but for a factor 1 - 1/n^2.
  constexpr int n = 40;
  double squares = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3<double> p{0.1 + (i + 0.5) / n - 0.5, 0.2 + 2 * ((j + 0.5) / n - 0.5), 0.3 + 3 * ((k + 0.5) / n - 0.5)};
        const Vec3<double> d = X_1 * p - X_2 * p;
        squares += dot(d, d) / (n * n * n);
      }
  const std::vector<Transform<double>> a{{}, X_1}, b{{}, X_2};
  const Distance distance = BodyDistance(state.mechanism())(a, b);
  EXPECT_NEAR(distance.length, std::sqrt(squares), 1e-3 * distance.length);
  const Mat3<double> turn = transpose(X_1.R) * X_2.R;
  EXPECT_NEAR(distance.angle, std::acos(0.5 * (turn(0, 0) + turn(1, 1) + turn(2, 2) - 1)), 1e-12);
}

TEST(BodyDistance, OfAParticleDoesNotCountItsTurning) {
  const State state = state_of(R"((system (body "p" (mass 2))))");
  const std::vector<Transform<double>> a{{}, {}}, b{{}, {rotation_x(1.0), {0, 0.5, 0}}};
  EXPECT_NEAR(BodyDistance(state.mechanism())(a, b).length, 0.5, 1e-15);
}

TEST(Compare, RunsEveryMethodThatThereIsInTheirOrder) {
  const CompareResult result = compare(start_of("pendulum"), {.simulate = {.time = 1}});
  ASSERT_EQ(result.runs.size(), method_names().size());
  for (std::size_t i = 0; i < result.runs.size(); ++i) {
    EXPECT_EQ(result.runs[i].method, method_names()[i]);
    EXPECT_TRUE(result.runs[i].ran()) << result.runs[i].refused;
    EXPECT_TRUE(result.runs[i].summary.completed);
  }
  EXPECT_TRUE(result.completed());
}

TEST(Compare, MeasuresAtTheSameTimesFromTheStartToTheEnd) {
  const CompareResult result = compare(start_of("double_pendulum"), {.simulate = {.time = 1.05}, .interval = 0.1});
  for (const MethodRun& run : result.runs) {
    ASSERT_EQ(run.samples.size(), 12u) << run.method;  // 0, 0.1, ... 1.0 and the end
    for (std::size_t k = 0; k < 11; ++k) EXPECT_NEAR(run.samples[k].t, 0.1 * double(k), 1e-12);
    EXPECT_NEAR(run.samples.back().t, 1.05, 1e-12);
    EXPECT_EQ(run.samples.front().distance.length, 0);
    EXPECT_EQ(run.path.size(), run.samples.size());
    for (const CompareSample& s : run.samples) EXPECT_TRUE(std::isfinite(s.distance.length)) << s.t;
  }
}

// A second-order method comes four times nearer to the truth when its step is halved.
TEST(Compare, DistanceOfASecondOrderMethodFallsByFourWhenItsStepIsHalved) {
  const auto distance = [](double dt) {
    const CompareOptions options{
        .methods = {"tree-variational", "tree-projected"}, .simulate = {.time = 2, .dt = dt}, .interval = 0.1};
    return run_of(compare(start_of("pendulum"), options), "tree-variational").largest.length;
  };
  EXPECT_NEAR(distance(0.02) / distance(0.01), 4, 0.05);  // the next term is of order four: its part is about dt^2
}

TEST(Compare, GivesTheStepToSomeAndTheAccuracyToOthers) {
  const CompareOptions options{.methods = {"tree-variational", "tree-projected"},
                               .simulate = {.time = 0.5, .dt = 0.005, .options = {{"accuracy", 1e-8}, {"order", 4}}}};
  const CompareResult result = compare(start_of("pendulum"), options);
  const auto has = [](const MethodRun& run, const ResolvedOption& option) {
    return std::count(run.summary.options.begin(), run.summary.options.end(), option) == 1;
  };
  EXPECT_TRUE(has(run_of(result, "tree-variational"), {"dt", 0.005}));
  EXPECT_TRUE(has(run_of(result, "tree-variational"), {"order", 4}));
  EXPECT_TRUE(has(run_of(result, "tree-projected"), {"accuracy", 1e-8}));
  ASSERT_TRUE(result.extra_reference);
  EXPECT_TRUE(has(*result.extra_reference, {"accuracy", 1e-11}));
}

TEST(Compare, SaysWhyAMethodDoesNotApplyAndRunsTheOthers) {
  const CompareResult result = compare(thrust(), {.simulate = {.time = 0.5}});
  const MethodRun& refused = run_of(result, "tree-variational");
  EXPECT_FALSE(refused.ran());
  EXPECT_NE(refused.refused.find("tree-variational"), std::string::npos) << refused.refused;
  EXPECT_FALSE(refused.problems.empty());
  EXPECT_TRUE(refused.samples.empty());
  EXPECT_TRUE(run_of(result, "tree-projected").summary.completed);
  EXPECT_TRUE(result.completed()) << "what does not apply has not failed";
}

TEST(Compare, FindsWhenMotionsPartThatPartBeforeTheEnd) {
  // A double pendulum from high up is chaotic: errors of the second-order method grow to its size within a minute.
  const CompareOptions options{.methods = {"tree-variational", "tree-projected"}, .simulate = {.time = 60}};
  const CompareResult result = compare(start_of("double_pendulum"), options);
  const MethodRun& run = run_of(result, "tree-variational");
  ASSERT_TRUE(run.agrees_until.has_value());
  for (const CompareSample& s : run.samples) {
    if (s.t < *run.agrees_until) {
      EXPECT_LE(s.distance.length, result.limit);
    }
    if (s.t == *run.agrees_until) {
      EXPECT_GT(s.distance.length, result.limit);
    }
  }
  EXPECT_GE(run.largest.length, run.at_end.length);
  EXPECT_NEAR(result.limit, 0.01 * result.size, 1e-15);
}

TEST(Compare, CanMeasureFromOneOfTheMethods) {
  const CompareOptions options{.simulate = {.time = 1}, .reference = "tree-projected"};
  const CompareResult result = compare(start_of("pendulum"), options);
  EXPECT_FALSE(result.extra_reference);
  EXPECT_EQ(result.reference_run().method, "tree-projected");
  EXPECT_EQ(result.reference_run().largest.length, 0);
  EXPECT_GT(run_of(result, "tree-variational").largest.length, 0);
}

// A run is the same whether it is compared or not: measuring must not disturb it.
TEST(Compare, TellsOfARunWhatSimulateTells) {
  const State start = start_of("four_bar");
  const CompareResult result = compare(start, {.simulate = {.time = 1}, .interval = 0.037});
  for (const MethodRun& run : result.runs) {
    if (!run.ran()) continue;
    const SimulateSummary alone = simulate(start, {.method = run.method, .time = 1});
    EXPECT_EQ(run.summary.steps.steps, alone.steps.steps);
    EXPECT_EQ(run.summary.energy_end, alone.energy_end);
    EXPECT_EQ(run.summary.energy_span(), alone.energy_span());
    EXPECT_EQ(run.summary.energy_slope, alone.energy_slope);
    EXPECT_EQ(run.summary.constraint_error, alone.constraint_error);
    EXPECT_EQ(run.summary.events, 0);
  }
}

/// What is thrown, in words; empty when nothing is.
std::string complaint(const CompareOptions& options, const State& start = start_of("pendulum")) {
  try {
    compare(start, options);
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Compare, RefusesOptionsThatMakeNoSense) {
  const auto says = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
  EXPECT_TRUE(says(complaint({.methods = {"tree-projectd"}}), "did you mean \"tree-projected\""));
  EXPECT_TRUE(says(complaint({.methods = {"tree-projected", "tree-projected"}}), "twice"));
  EXPECT_TRUE(says(complaint({.methods = {"tree-projected"}, .reference = "tree-variational"}), "reference"));
  EXPECT_TRUE(says(complaint({.methods = {"tree-projected"}, .simulate = {.options = {{"order", 2}}}}), "order"));
  EXPECT_TRUE(says(complaint({.simulate = {.options = {{"order", 3}}}}), "order 3"));
  EXPECT_TRUE(says(complaint({.simulate = {.time = -1}}), "time -1"));
  EXPECT_TRUE(says(complaint({.interval = 0}), "interval 0"));
  EXPECT_TRUE(says(complaint({.interval = 1e-9}), "interval 1e-09"));
  EXPECT_TRUE(says(complaint({.agreement = std::numeric_limits<double>::quiet_NaN()}), "agreement"));
  EXPECT_TRUE(says(complaint({.reference = "tree-variational"}, thrust()), "does not apply"));
}

TEST(Compare, RefusesAModelToWhichNoMethodApplies) {
  EXPECT_THROW(compare(thrust(), {.methods = {"tree-variational"}}), ModelError);
}

TEST(Compare, DoesNotSayThatMotionsAgreeWhereTheyWereNotCompared) {
  // A wheel without spin falls flat at 0.36 s. The exact run stops there.
  const Mechanism wheel = format::read_model(R"((system
    (body "disk" (mass 2) (inertia 0.02 0.02 0.04) (pose 0.5 0 0.1879385241571817 (rpy 0 (deg 70) 0)))
    (rolling-disk "disk" ground 0.2)))",
                                             "wheel.pol")
                              .mechanism;
  CompareOptions options;
  options.simulate.time = 1;
  const CompareResult result = compare(tree::initial_state(wheel), options);
  ASSERT_FALSE(result.reference_run().summary.completed);
  for (const MethodRun& run : result.runs) EXPECT_LT(run.compared_until, 0.4) << run.method;
}

TEST(Compare, HandsOnWhatOnlyOneMethodTakes) {
  CompareOptions options;
  options.simulate.time = 0.1;
  options.simulate.options.set("planar", "foo");
  EXPECT_THROW(compare(start_of("pendulum"), options), std::invalid_argument);
}

// What a step of numbers near one rounds off is 1e-16 and more, so an accuracy of 1e-15 is met by no step, however short.
TEST(Compare, AsksItsReferenceForNoMoreThanRoundingAllows) {
  for (const double accuracy : {1e-12, 1e-14}) {
    const CompareResult result =
        compare(start_of("double_pendulum"), {.simulate = {.time = 1, .options = {{"accuracy", accuracy}}}});
    ASSERT_TRUE(result.extra_reference);
    EXPECT_TRUE(result.extra_reference->summary.completed) << result.extra_reference->summary.failure;
    EXPECT_GE(result.reference_accuracy, 1e-13);
    for (const MethodRun& run : result.runs)
      if (run.ran() && run.summary.completed) {
        EXPECT_EQ(run.compared_until, 1) << run.method;
      }
  }
}

}  // namespace
}  // namespace polhode::study
