#include "polhode/study/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/format/language/model.h"
#include "polhode/study/least_squares.h"
#include "polhode/study/random.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

/// Length, damping, and angle at the start.
State pendulum(std::span<const double> v) {
  const std::string text = R"((system (parameter l 1) (parameter c 0.1)
                                (ry "a" (tz (- l) (name "tip") (mass 1))) (damping "a" c)))";
  const auto model = format::read_model(text, "p.pol", {}, {{"l", v[0]}, {"c", v[1]}}, {{"a", v[2], std::nullopt, {}}});
  return tree::initial_state(model.mechanism);
}
const std::vector<double> truth{1.3, 0.2, 0.8};
const std::vector<FitVariable> from_afar{{"l", 1}, {"c", 0.1}, {"a", 0.6}};

/// What the true pendulum does, with noise on the angle, at times that no step falls on.
FitData measured(double noise, const SimulateOptions& options, std::uint64_t seed = 5) {
  FitData data;
  for (int i = 0; i < 200; ++i) data.times.push_back(0.0257 * i);
  data.columns.push_back({"a", {}});
  SimulateOptions run = options;
  run.times = data.times;
  run.time = data.times.back();
  const RandomStream random(seed, "noise");
  simulate(pendulum(truth), run, [&](const State& s) {
    auto& column = data.columns[0].values;
    if (column.size() < data.times.size()) column.push_back(s.q()[0] + noise * random.normal(std::uint32_t(column.size())));
  });
  return data;
}

class Fit : public testing::TestWithParam<SimulateOptions> {};

TEST_P(Fit, FindsTheValuesThatExactDataWereMadeWith) {
  const FitResult result = fit(from_afar, measured(0, GetParam()), pendulum, {.simulate = GetParam()});
  EXPECT_TRUE(result.converged) << result.reason;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(result.values[k].value, truth[k], 1e-6 * truth[k]) << result.values[k].name;
  EXPECT_GT(result.rms_before, 0.1);
  EXPECT_LT(result.rms_after, 1e-7);
  EXPECT_TRUE(result.warnings.empty()) << result.warnings[0];
}

INSTANTIATE_TEST_SUITE_P(OfMethods, Fit,
                         testing::Values(SimulateOptions{}, SimulateOptions{.method = "tree-projected", .dt = 0.01},
                                         SimulateOptions{.method = "tree-projected", .options = {{"accuracy", 1e-8}}}));

// Over forty sets of data the error in units of the standard error is a normal variable: its mean square is 1 with a deviation
// of sqrt(2/120) = 0.13, and the residuals' is the noise's with one of 1 in sqrt(2*8000).
TEST(FitToNoise, ErrsByItsStandardErrors) {
  double squares = 0, residual = 0;
  constexpr int sets = 40;
  for (int i = 0; i < sets; ++i) {
    const FitResult result = fit(from_afar, measured(0.01, {}, std::uint64_t(i)), pendulum, {});
    EXPECT_TRUE(result.converged) << result.reason;
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_TRUE(result.values[k].standard_error);
      squares += std::pow((result.values[k].value - truth[k]) / *result.values[k].standard_error, 2) / (3 * sets);
    }
    residual += result.rms_after * result.rms_after / sets;
  }
  EXPECT_NEAR(squares, 1, 0.52);  // four deviations
  EXPECT_NEAR(std::sqrt(residual * 200 / 197), 0.01, 0.01 * 4 / std::sqrt(16000.0));
}

TEST(Fit, IsTheSameWithAnyNumberOfThreads) {
  const FitData data = measured(0.01, {});
  const FitResult one = fit(from_afar, data, pendulum, {.threads = 1}), three = fit(from_afar, data, pendulum, {.threads = 3});
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(one.values[k].value, three.values[k].value);
  EXPECT_EQ(one.runs, three.runs);
}

TEST(Fit, StaysWithinBoundsAndSaysSo) {
  auto variables = from_afar;
  variables[0].lower = 0.9, variables[0].upper = 1.2;
  const FitResult result = fit(variables, measured(0, {}), pendulum, {});
  EXPECT_EQ(result.values[0].value, 1.2);
  EXPECT_TRUE(result.values[0].at_bound);
  ASSERT_FALSE(result.warnings.empty());
  EXPECT_NE(result.warnings[0].find("\"l\" ended at its bound"), std::string::npos);
  EXPECT_LT(result.rms_after, result.rms_before);
}

// A pendulum's motion depends on g/l alone, and not at all on the mass of a bob that nothing damps.
TEST(Fit, NamesWhatTheDataDoNotDetermine) {
  const auto start = [](std::span<const double> v) {
    const std::string text = R"((system (parameter l 1) (parameter g 9.81) (parameter m 1) (gravity 0 0 (- g))
                                  (ry "a" (tz (- l) (mass m))) (initial ("a" 0.5))))";
    return tree::initial_state(format::read_model(text, "p.pol", {}, {{"l", v[0]}, {"g", v[1]}, {"m", v[2]}}).mechanism);
  };
  FitData data;
  data.columns.push_back({"a", {}});
  for (int i = 0; i < 50; ++i) data.times.push_back(0.05 * i), data.columns[0].values.push_back(0.5 * std::cos(0.15 * i));
  const FitResult result = fit({{"l", 1}, {"g", 9.81}, {"m", 1}}, data, start, {});
  ASSERT_EQ(result.warnings.size(), 2u);
  EXPECT_NE(result.warnings[0].find("\"m\" has no effect"), std::string::npos) << result.warnings[0];
  EXPECT_NE(result.warnings[1].find("combination of \"l\" and \"g\""), std::string::npos) << result.warnings[1];
  for (const auto& value : result.values) EXPECT_FALSE(value.standard_error) << value.name;
}

TEST(Fit, RefusesDataThatItCannotCompare) {
  const FitData good = measured(0, {});
  FitData bad = good;
  bad.columns[0].quantity = "b";
  EXPECT_THROW(fit(from_afar, bad, pendulum, {}), std::invalid_argument);
  bad = good, bad.columns[0].values.pop_back();
  EXPECT_THROW(fit(from_afar, bad, pendulum, {}), std::invalid_argument);
  bad = good, bad.times[0] = -1;
  EXPECT_THROW(fit(from_afar, bad, pendulum, {}), std::invalid_argument);
  bad = good, bad.times.clear();
  EXPECT_THROW(fit(from_afar, bad, pendulum, {}), std::invalid_argument);
  EXPECT_THROW(fit({}, good, pendulum, {}), std::invalid_argument);
  EXPECT_THROW(fit({{"l", 1}, {"l", 1}, {"a", 0}}, good, pendulum, {}), std::invalid_argument);
  EXPECT_THROW(fit({{"l", 1, 2, 3}, {"c", 0.1}, {"a", 0.6}}, good, pendulum, {}), std::invalid_argument);
  const auto broken = [](std::span<const double>) -> State { throw std::runtime_error("it is broken"); };
  EXPECT_THROW(fit(from_afar, good, broken, {}), std::runtime_error);
}

// Rosenbrock's valley: the minimum is 0 at (1, 1).
TEST(LeastSquares, FollowsACurvedValleyToItsEnd) {
  LeastSquares problem;
  problem.residuals = [](const std::vector<std::vector<double>>& places) {
    std::vector<std::vector<double>> all;
    for (const auto& x : places) all.push_back({10 * (x[1] - x[0] * x[0]), 1 - x[0]});
    return all;
  };
  problem.start = {-1.2, 1};
  problem.lower = {-10, -10}, problem.upper = {10, 10}, problem.scale = {1, 1};
  const LeastSquaresResult result = minimise(problem);
  EXPECT_TRUE(result.converged);
  EXPECT_NEAR(result.x[0], 1, 1e-8);
  EXPECT_NEAR(result.x[1], 1, 1e-8);
}

}  // namespace
}  // namespace polhode::study
