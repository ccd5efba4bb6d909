#include "polhode/study/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "polhode/study/statistics.h"

namespace polhode::study {
namespace {

// Known answers that its authors publish with the generator (Random123, kat_vectors).
TEST(Philox, GivesThePublishedNumbers) {
  using Four = std::array<std::uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

/// The largest distance between the samples' distribution and the one they should have (Kolmogorov's statistic).
template <class Distribution>
double distance(std::vector<double> samples, Distribution&& probability_below) {
  std::sort(samples.begin(), samples.end());
  double largest = 0;
  const double n = double(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double p = probability_below(samples[i]);
    largest = std::max({largest, std::abs(p - double(i) / n), std::abs(p - double(i + 1) / n)});
  }
  return largest;
}

// 20000 samples of the right distribution pass with probability 0.9999: sqrt(n) D < 2.2.
TEST(RandomStream, HasTheDistributionsThatItNames) {
  const RandomStream random(7, "length");
  std::vector<double> uniform, normal;
  for (std::uint32_t i = 0; i < 20000; ++i) uniform.push_back(random.uniform(i)), normal.push_back(random.normal(i));
  EXPECT_LT(distance(uniform, [](double x) { return x; }), 2.2 / std::sqrt(20000.0));
  EXPECT_LT(distance(normal, [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }), 2.2 / std::sqrt(20000.0));
}

// The correlation of independent samples is about 1/sqrt(n) = 0.01; five times that is never met by chance.
TEST(RandomStream, IsIndependentOfOtherVariablesAndSeeds) {
  const RandomStream a(7, "length"), b(7, "mass"), c(8, "length");
  double ab = 0, ac = 0, neighbours = 0;
  constexpr int n = 10000;
  for (std::uint32_t i = 0; i < n; ++i) {
    ab += a.normal(i) * b.normal(i) / n;
    ac += a.normal(i) * c.normal(i) / n;
    neighbours += a.normal(i) * a.normal(i + 1) / n;
  }
  EXPECT_LT(std::abs(ab), 0.05);
  EXPECT_LT(std::abs(ac), 0.05);
  EXPECT_LT(std::abs(neighbours), 0.05);
}

TEST(Statistics, OfASmallSetAreThoseByHand) {
  const Statistics s = statistics({4, 1, 3, 2, 5});
  EXPECT_EQ(s.count, 5);
  EXPECT_DOUBLE_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(2.5));
  EXPECT_EQ(s.least, 1);
  EXPECT_EQ(s.median, 3);
  EXPECT_EQ(s.greatest, 5);
  EXPECT_DOUBLE_EQ(s.quantile_05, 1.2);  // 0.05 of the way over four gaps
  EXPECT_DOUBLE_EQ(s.quantile_95, 4.8);
  EXPECT_EQ(statistics({7}).deviation, 0);
  EXPECT_EQ(statistics({}).count, 0);
}

}  // namespace
}  // namespace polhode::study
