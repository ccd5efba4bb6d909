#include "polhode/study/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "polhode/study/plan.h"

namespace polhode::study {
namespace {

std::vector<std::string> names(int n) {
  std::vector<std::string> all;
  for (int i = 0; i < n; ++i) all.push_back("x" + std::to_string(i));
  return all;
}

/// How many of the samples lie in each of so many equal parts.
std::vector<int> counts(const UnitSamples& samples, std::size_t variable, long n, int parts) {
  std::vector<int> in(std::size_t(parts), 0);
  for (long i = 0; i < n; ++i) ++in[std::size_t(samples.uniform(variable, i) * parts)];
  return in;
}

TEST(Sampling, LatinHypercubesHaveOneSampleInEachRow) {
  constexpr int n = 137;
  const UnitSamples samples(Sampling::latin_hypercube, names(5), n, 3);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(counts(samples, k, n, n), std::vector<int>(n, 1)) << k;
}

// A net: with 2^m points, every interval of length 2^-m holds one, in every variable.
TEST(Sampling, SobolPointsHaveOneSampleInEachRowWhateverTheVariable) {
  constexpr int n = 256, variables = 300;
  const UnitSamples samples(Sampling::sobol, names(variables), n, 3);
  for (std::size_t k = 0; k < variables; ++k) EXPECT_EQ(counts(samples, k, n, n), std::vector<int>(n, 1)) << k;
}

// The first two variables are a (0, 8, 2)-net: each of the boxes 2^-a by 2^-(8-a) holds one of 256 points. Scrambling keeps
// that.
TEST(Sampling, SobolPointsHaveOneSampleInEachBoxOfTwoVariables) {
  const UnitSamples samples(Sampling::sobol, names(2), 256, 5);
  for (int a = 0; a <= 8; ++a) {
    std::set<std::pair<int, int>> boxes;
    for (long i = 0; i < 256; ++i)
      boxes.insert({int(samples.uniform(0, i) * (1 << a)), int(samples.uniform(1, i) * (1 << (8 - a)))});
    EXPECT_EQ(boxes.size(), 256u) << a;
  }
}

/// The discrepancy of Warnock's formula: the root mean square, over all boxes that begin at 0, of the part of the points in the
/// box less its volume.
double discrepancy(const UnitSamples& samples, int n, int variables) {
  std::vector<std::vector<double>> points(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < variables; ++k) points[std::size_t(i)].push_back(samples.uniform(std::size_t(k), i));
  double first = 0, second = 0;
  for (const auto& a : points) {
    double product = 1;
    for (const double x : a) product *= 1 - x * x;
    first += product;
    for (const auto& b : points) {
      double other = 1;
      for (std::size_t k = 0; k < a.size(); ++k) other *= 1 - std::max(a[k], b[k]);
      second += other;
    }
  }
  return std::sqrt(std::pow(3.0, -variables) - std::pow(2.0, 1 - variables) * first / n + second / (double(n) * n));
}

// Independent points have a mean square discrepancy of (2^-d - 3^-d)/n: 0.0132 for 512 points in three variables. Nets are an
// order of magnitude better.
TEST(Sampling, SobolPointsFillTheCubeFarMoreEvenlyThanRandomOnes) {
  constexpr int n = 512, d = 3;
  const double expected = std::sqrt((std::pow(2.0, -d) - std::pow(3.0, -d)) / n);
  const double random = discrepancy(UnitSamples(Sampling::random, names(d), n, 1), n, d);
  const double sobol = discrepancy(UnitSamples(Sampling::sobol, names(d), n, 1), n, d);
  EXPECT_GT(random, 0.3 * expected);
  EXPECT_LT(random, 3 * expected);
  EXPECT_LT(sobol, 0.2 * expected);
}

/// Root mean square error, over some seeds, of the mean of a product whose integral is 1.
double integration_error(Sampling sampling, long n) {
  constexpr int seeds = 10, d = 2;
  double squares = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    const UnitSamples samples(sampling, names(d), n, std::uint64_t(seed));
    double mean = 0;
    for (long i = 0; i < n; ++i) {
      double product = 1;
      for (std::size_t k = 0; k < d; ++k) product *= 1 + 0.5 * std::sin(2 * M_PI * samples.uniform(k, i));
      mean += product / double(n);
    }
    squares += (mean - 1) * (mean - 1) / seeds;
  }
  return std::sqrt(squares);
}

// Owen (1997): for smooth functions the error of scrambled nets falls like n^-3/2 but for logarithms, that of random points
// like n^-1/2: with 16 times as many points to 1/64, or to 1/4. Halves and doubles leave room for the chance of ten seeds.
TEST(Sampling, IntegralsBySobolPointsConvergeFasterThanTheRootOfTheirNumber) {
  const double few = integration_error(Sampling::sobol, 256), many = integration_error(Sampling::sobol, 4096);
  EXPECT_LT(many, few / 30);
  EXPECT_GT(integration_error(Sampling::random, 4096), integration_error(Sampling::random, 256) / 8);
  EXPECT_LT(many, 0.05 * integration_error(Sampling::random, 4096));
}

// The variance that a Latin hypercube leaves is that of what is no sum of functions of one variable (Stein 1987).
TEST(Sampling, LatinHypercubesIntegrateSumsFarBetterThanRandomPoints) {
  constexpr long n = 400;
  for (const auto& [sampling, allowed] : {std::pair{Sampling::latin_hypercube, 2e-4}, std::pair{Sampling::random, 0.2}}) {
    const UnitSamples samples(sampling, names(3), n, 8);
    double mean = 0;
    for (long i = 0; i < n; ++i)
      for (std::size_t k = 0; k < 3; ++k) mean += std::exp(samples.uniform(k, i)) / n;
    EXPECT_NEAR(mean, 3 * (M_E - 1), allowed);
    if (sampling == Sampling::random) {
      EXPECT_GT(std::abs(mean - 3 * (M_E - 1)), 1e-3);
    }
  }
}

TEST(Sampling, NormalSamplesHaveTheirQuantiles) {
  for (const double p : {1e-12, 0.001, 0.3, 0.5, 0.9, 1 - 1e-10})
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)), p, 1e-13 + 1e-12 * p);
  constexpr long n = 256;
  for (const Sampling sampling : {Sampling::latin_hypercube, Sampling::sobol}) {
    const UnitSamples samples(sampling, {"m"}, n, 2);
    std::vector<double> x;
    for (long i = 0; i < n; ++i) x.push_back(samples.normal(0, i));
    std::sort(x.begin(), x.end());
    for (long i = 0; i < n; ++i) {  // one in each part of probability 1/n
      EXPECT_GE(x[std::size_t(i)], i == 0 ? -HUGE_VAL : normal_quantile(double(i) / n));
      EXPECT_LE(x[std::size_t(i)], i + 1 == n ? HUGE_VAL : normal_quantile(double(i + 1) / n));
    }
  }
}

TEST(Sampling, DependsOnTheSeedAndNotOnOtherSamples) {
  for (const Sampling sampling : {Sampling::latin_hypercube, Sampling::sobol}) {
    const UnitSamples a(sampling, {"x", "y"}, 64, 1), same(sampling, {"x", "y"}, 64, 1), other(sampling, {"x", "y"}, 64, 2);
    EXPECT_EQ(a.uniform(1, 7), same.uniform(1, 7));
    EXPECT_NE(a.uniform(1, 7), other.uniform(1, 7));
  }
  const UnitSamples few(Sampling::sobol, {"x"}, 8, 1), many(Sampling::sobol, {"x"}, 64, 1);
  EXPECT_EQ(few.uniform(0, 5), many.uniform(0, 5));
}

TEST(Sampling, PlansDrawTheirDistributionsWithIt) {
  using Kind = Distribution::Kind;
  const Plan plan({{"l", 1, 2, 3}}, {{"x", Kind::uniform, -1, 1}, {"y", Kind::normal, 5, 2}}, 100, 42,
                  Sampling::latin_hypercube);
  EXPECT_EQ(plan.size(), 300);
  std::vector<int> rows(100);
  for (long i = 0; i < 100; ++i) {
    ++rows[std::size_t((plan.values(i)[1] + 1) * 50)];
    EXPECT_EQ(plan.values(i)[2], plan.values(200 + i)[2]);
  }
  EXPECT_EQ(rows, std::vector<int>(100, 1));
}

TEST(Sampling, RefusesWhatThereIsNot) {
  EXPECT_THROW(sampling_named("halton"), std::invalid_argument);
  EXPECT_THROW(UnitSamples(Sampling::sobol, names(most_sobol_variables + 1), 8, 1), std::invalid_argument);
  for (const std::string& name : sampling_names()) EXPECT_EQ(name_of(sampling_named(name)), name);
}

}  // namespace
}  // namespace polhode::study
