#include "polhode/study/sensitivity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "polhode/format/language/model.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

using Kind = Distribution::Kind;
constexpr double pi = std::numbers::pi;

/// Ishigami and Homma (1990): sin x + 7 sin^2 y + 0.1 z^4 sin x, on (-pi, pi)^3.
Measurement ishigami(std::span<const double> v) {
  return {.measures = {std::sin(v[0]) + 7 * std::pow(std::sin(v[1]), 2) + 0.1 * std::pow(v[2], 4) * std::sin(v[0])},
          .failure = "",
          .interrupted = false};
}
const std::vector<Distribution> cube{
    {"x", Kind::uniform, -pi, pi}, {"y", Kind::uniform, -pi, pi}, {"z", Kind::uniform, -pi, pi}};

// In closed form: V = 1/2 + a^2/8 + b pi^4/5 + b^2 pi^8/18, of which x alone has (1 + b pi^4/5)^2/2, y alone a^2/8, and x and z
// together b^2 pi^8 (1/18 - 1/50). The intervals hold 95 per cent; three times their widths hold all. 4096 points of a net have
// errors below 0.01 here (Saltelli et al. 2010, their figures).
TEST(GlobalSensitivity, OfTheIshigamiFunctionIsThatOfItsClosedForm) {
  const double a = 7, b = 0.1, p4 = std::pow(pi, 4), p8 = p4 * p4;
  const double variance = 0.5 + a * a / 8 + b * p4 / 5 + b * b * p8 / 18;
  const double x = 0.5 * std::pow(1 + b * p4 / 5, 2) / variance, y = a * a / 8 / variance, xz = b * b * p8 * 8 / 225 / variance;
  const double first[] = {x, y, 0}, total[] = {x + xz, y, xz};
  for (const Sampling sampling : {Sampling::sobol, Sampling::random}) {
    const GlobalResult r =
        global_sensitivity(cube, 1, ishigami, {.samples = 4096, .sampling = sampling, .seed = 3, .resamples = 300});
    EXPECT_EQ(r.runs, 4096 * 5);
    EXPECT_NEAR(r.mean[0], a / 2, 0.2);
    EXPECT_NEAR(r.deviation[0], std::sqrt(variance), 0.2);
    for (std::size_t k = 0; k < 3; ++k) {
      const GlobalSensitivity& of = r.of[0][k];
      EXPECT_LT(of.first.low, of.first.high);
      EXPECT_NEAR(of.first.value, first[k], 1.5 * (of.first.high - of.first.low)) << k;
      EXPECT_NEAR(of.total.value, total[k], 1.5 * (of.total.high - of.total.low)) << k;
      EXPECT_LT(of.first.high - of.first.low, 0.12);
      if (sampling == Sampling::sobol) {
        EXPECT_NEAR(of.first.value, first[k], 0.02) << k;
      }
      if (sampling == Sampling::sobol) {
        EXPECT_NEAR(of.total.value, total[k], 0.02) << k;
      }
    }
  }
}

/// A body that falls freely from a height with a speed.
State thrown(std::span<const double> v) {
  return tree::initial_state(format::read_model(R"((system (body "b" (mass 1))))", "b.pol", {}, {},
                                                {{"b.z", v[0], std::nullopt, {}}, {"b.z", std::nullopt, v[1], {}}})
                                 .mechanism);
}

// After t the height is z + v t - g t^2/2: parts s_z^2 and (s_v t)^2 of the variance, and no interaction. With 0.3 and 0.2 over
// 2 s these are 0.09 and 0.16.
TEST(GlobalSensitivity, OfAThrownBodyIsThatOfItsParabola) {
  const MeasuredModel model = measured_model(
      thrown, {.simulate = {.time = 2, .dt = 0.1}, .measures = {Measure::parse("b.z"), Measure::parse("b.x")}}, {0, 0});
  const GlobalResult r = global_sensitivity({{"b.z", Kind::normal, 5, 0.3}, {"b.z'", Kind::normal, 1, 0.2}}, 2, model,
                                            {.samples = 512, .resamples = 100});
  EXPECT_NEAR(r.mean[0], 5 + 2 - 0.5 * 9.81 * 4, 0.01);
  EXPECT_NEAR(r.deviation[0], 0.5, 0.01);
  const double expected[] = {0.36, 0.64};
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(r.of[0][k].first.value, expected[k], 0.02);
    EXPECT_NEAR(r.of[0][k].total.value, expected[k], 0.02);
  }
  EXPECT_TRUE(r.of[1].empty());  // it falls straight down
}

TEST(GlobalSensitivity, IsTheSameWithAnyNumberOfThreads) {
  const GlobalResult one = global_sensitivity(cube, 1, ishigami, {.samples = 256, .threads = 1, .resamples = 50});
  const GlobalResult three = global_sensitivity(cube, 1, ishigami, {.samples = 256, .threads = 3, .resamples = 50});
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(one.of[0][k].first.value, three.of[0][k].first.value);
    EXPECT_EQ(one.of[0][k].total.high, three.of[0][k].total.high);
  }
}

TEST(GlobalSensitivity, LeavesOutSamplesThatFailAndSaysSo) {
  const auto picky = [](std::span<const double> v) -> Measurement {
    if (v[0] > 3) return {.measures = {}, .failure = "too far", .interrupted = false};
    return ishigami(v);
  };
  const GlobalResult r = global_sensitivity(cube, 1, picky, {.samples = 256, .resamples = 10});
  EXPECT_GT(r.failures, 0);
  EXPECT_LT(r.samples, 256);
  ASSERT_FALSE(r.warnings.empty());
  EXPECT_NE(r.warnings[0].find("too far"), std::string::npos);
  const auto never = [](std::span<const double>) { return Measurement{.measures = {}, .failure = "no", .interrupted = false}; };
  EXPECT_THROW(global_sensitivity(cube, 1, never, {.samples = 16}), std::runtime_error);
}

TEST(GlobalSensitivity, RefusesWhatIsNoPlan) {
  EXPECT_THROW(global_sensitivity({}, 1, ishigami, {}), std::invalid_argument);
  EXPECT_THROW(global_sensitivity(cube, 0, ishigami, {}), std::invalid_argument);
  EXPECT_THROW(global_sensitivity(cube, 1, ishigami, {.samples = 2}), std::invalid_argument);
  EXPECT_THROW(global_sensitivity(cube, 1, ishigami, {.samples = 900'000}), std::invalid_argument);
  EXPECT_THROW(global_sensitivity({cube[0], cube[0]}, 1, ishigami, {}), std::invalid_argument);
  EXPECT_THROW(global_sensitivity({{"x", Kind::normal, 0, -1}}, 1, ishigami, {}), std::invalid_argument);
}

// d/dx of exp(2x) y: 2 exp(2x) y and exp(2x). Extrapolated differences over h = 1e-3 |x| err by 1e-12 of it from truncation
// ((2h)^4/480 or less) and by some 1e-16/h from rounding.
TEST(LocalSensitivity, IsTheDerivativeWithinItsError) {
  const auto model = [](std::span<const double> v) {
    return Measurement{.measures = {std::exp(2 * v[0]) * v[1], 7}, .failure = "", .interrupted = false};
  };
  const LocalResult r = local_sensitivity({{"x", 0.5}, {"y", 3}}, 2, model, 1e-3);
  const double exact[] = {6 * M_E, M_E};
  for (std::size_t k = 0; k < 2; ++k) {
    const LocalSensitivity& of = r.of[0][k];
    ASSERT_TRUE(of.derivative);
    EXPECT_NEAR(*of.derivative, exact[k], 1e-10 * exact[k]);
    EXPECT_LE(std::abs(*of.derivative - exact[k]), of.error + 1e-12);
    EXPECT_LT(of.error, 1e-6 * exact[k]);
    EXPECT_NEAR(*r.of[1][k].derivative, 0, 1e-300);
  }
  EXPECT_NEAR(*r.of[0][0].elasticity, 1, 1e-9);  // 2 x
  EXPECT_NEAR(*r.of[0][1].elasticity, 1, 1e-9);
  EXPECT_EQ(r.runs, 9);
}

TEST(LocalSensitivity, SaysWhereRunsNearbyFail) {
  const auto model = [](std::span<const double> v) -> Measurement {
    if (v[0] < 0) return {.measures = {}, .failure = "no such length", .interrupted = false};
    return {.measures = {v[0] * v[1]}, .failure = "", .interrupted = false};
  };
  const LocalResult r = local_sensitivity({{"x", 0}, {"y", 2}}, 1, model, 1e-3);
  EXPECT_FALSE(r.of[0][0].derivative);
  EXPECT_TRUE(r.of[0][1].derivative);
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_NE(r.warnings[0].find("no such length"), std::string::npos);
  EXPECT_THROW(local_sensitivity({{"x", -1}}, 1, model, 1e-3), std::runtime_error);
  EXPECT_THROW(local_sensitivity({}, 1, model, 1e-3), std::invalid_argument);
}

}  // namespace
}  // namespace polhode::study
