#include "polhode/mechanism/signal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace polhode {
namespace {

using Joining = Signal::Joining;

// Central differences with h = 1e-5: truncation h^2 f'''/6 and rounding 1e-16 f/h are both below 1e-8 for what is tried here.
void expect_exact_derivatives(const Signal& signal, double t) {
  constexpr double h = 1e-5;
  const Signal::Sample here = signal.at(t), before = signal.at(t - h), after = signal.at(t + h);
  EXPECT_NEAR(here.rate, (after.value - before.value) / (2 * h), 1e-8) << "at " << t;
  EXPECT_NEAR(here.acceleration, (after.rate - before.rate) / (2 * h), 1e-8) << "at " << t;
}

TEST(Signal, HasExactDerivativesOfEveryForm) {
  const Signal sine = Signal::sine(0.4, 3, 0.2, 1), ramp = Signal::polynomial({1, -2}),
               cubic = Signal::polynomial({0, 1, 0, 0.5});
  const Signal spline = Signal::samples({-1, 0, 0.5, 2}, {0.3, -0.1, 0.2, 0.4});
  const Signal clamped = Signal::samples({-1, 0, 0.5, 2}, {0.3, -0.1, 0.2, 0.4}, Joining::clamped, 0.5, -1);
  const Signal broken = Signal::samples({-1, 0, 0.5, 2}, {0.3, -0.1, 0.2, 0.4}, Joining::linear);
  const Signal own = Signal::of([](auto t) { return sin_cos(t * t).s / (2 + t); });
  for (const Signal& signal : {Signal::constant(3), ramp, cubic, sine, spline, clamped, broken, own,
                               Signal::sum({sine, cubic, spline}), Signal::product({sine, cubic, clamped})})
    for (const double t : {-3.0, -0.7, 0.3, 1.1, 4.0}) expect_exact_derivatives(signal, t);
}

TEST(Signal, IsWhatItsFormSays) {
  EXPECT_EQ(Signal().value(5), 0);
  EXPECT_EQ(Signal::constant(-2).value(7), -2);
  EXPECT_NEAR(Signal::sine(2, 3, 0.5, 10).value(0.7), 10 + 2 * std::sin(3 * 0.7 + 0.5), 1e-14);
  EXPECT_NEAR(Signal::polynomial({1, 2, 3}).value(0.5), 1 + 1 + 0.75, 1e-15);
  EXPECT_NEAR(Signal::samples({0, 2}, {1, 5}, Joining::linear).value(0.5), 2, 1e-15);
  EXPECT_NEAR(Signal::of([](auto t) { return t * t * t; }).at(2).acceleration, 12, 1e-14);
  const Signal given = Signal::function([](double t) { return Signal::Sample{t, 1, 0}; });
  EXPECT_EQ(given.value(3), 3);
}

TEST(Signal, PassesThroughItsSamplesAndHoldsItsEnds) {
  const std::vector<double> times{0.5, 1, 3}, values{2, -1, 0.4};
  for (const Joining joining : {Joining::natural, Joining::clamped, Joining::linear}) {
    const Signal signal = Signal::samples(times, values, joining);
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(signal.value(times[i]), values[i], 1e-15);
    for (const double t : {-1e9, 0.0}) EXPECT_EQ(signal.at(t).value, 2);
    for (const double t : {3.1, 1e9}) EXPECT_EQ(signal.at(t).value, 0.4);
    EXPECT_EQ(signal.at(-1).rate, 0);
    EXPECT_EQ(signal.at(4).acceleration, 0);
  }
}

TEST(Signal, ThatIsClampedHasTheRatesGiven) {
  const Signal signal = Signal::samples({0, 1, 2.5}, {0, 1, 0.5}, Joining::clamped, 0.7, -0.2);
  EXPECT_NEAR(signal.at(0).rate, 0.7, 1e-14);
  EXPECT_NEAR(signal.at(2.5).rate, -0.2, 1e-14);
  // Twice smooth at the inner point: third derivatives are of order 10, so both sides differ by less than 1e-7.
  const Signal::Sample left = signal.at(1 - 1e-9), right = signal.at(1 + 1e-9);
  EXPECT_NEAR(left.rate, right.rate, 1e-7);
  EXPECT_NEAR(left.acceleration, right.acceleration, 1e-7);
}

// A cubic is its own clamped spline, whatever the points.
TEST(Signal, ClampedSplineOfACubicIsTheCubic) {
  const Signal cubic = Signal::polynomial({0.1, -0.5, 0.25, 1});
  std::vector<double> times{-1, -0.2, 0.9, 1.5}, values;
  for (const double t : times) values.push_back(cubic.value(t));
  const Signal spline = Signal::samples(times, values, Joining::clamped, cubic.at(-1).rate, cubic.at(1.5).rate);
  for (const double t : {-0.9, 0.0, 0.4, 1.2}) {
    EXPECT_NEAR(spline.at(t).value, cubic.at(t).value, 1e-14);
    EXPECT_NEAR(spline.at(t).acceleration, cubic.at(t).acceleration, 1e-13);
  }
}

TEST(Signal, OfOneSampleIsConstant) {
  for (const Joining joining : {Joining::natural, Joining::linear}) {
    EXPECT_EQ(Signal::samples({1}, {4}, joining).at(1).value, 4);
    EXPECT_EQ(Signal::samples({1}, {4}, joining).at(9).value, 4);
  }
}

TEST(Signal, KnowsWhetherItChanges) {
  EXPECT_TRUE(Signal::constant(3).is_constant());
  EXPECT_TRUE(Signal::sine(0, 3).is_constant());
  EXPECT_TRUE(Signal::samples({0, 1}, {2, 2}).is_constant());
  EXPECT_TRUE(Signal::sum({Signal::constant(3), Signal::polynomial({1, 0})}).is_constant());
  EXPECT_FALSE(Signal::polynomial({0, 1}).is_constant());
  EXPECT_FALSE(Signal::samples({0, 1}, {2, 2}, Joining::clamped, 1, 0).is_constant());
  EXPECT_FALSE(Signal::product({Signal::constant(3), Signal::sine(1, 1)}).is_constant());
  EXPECT_FALSE(Signal::function([](double) { return Signal::Sample{}; }).is_constant());
}

TEST(Signal, RefusesWhatHasNoMeaning) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Signal::constant(nan), std::invalid_argument);
  EXPECT_THROW(Signal::polynomial({}), std::invalid_argument);
  EXPECT_THROW(Signal::sine(1, nan), std::invalid_argument);
  EXPECT_THROW(Signal::samples({0, 0}, {1, 2}), std::invalid_argument);
  EXPECT_THROW(Signal::samples({0, 1}, {1}), std::invalid_argument);
  EXPECT_THROW(Signal::samples({}, {}), std::invalid_argument);
  EXPECT_THROW(Signal::samples({0, 1}, {1, nan}), std::invalid_argument);
  EXPECT_THROW(Signal::sum({}), std::invalid_argument);
  EXPECT_THROW(Signal::function(nullptr), std::invalid_argument);
}

}  // namespace
}  // namespace polhode
