#include "polhode/mechanism/scalar_function.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace polhode {
namespace {

// Each order is the derivative of the one below: central differences, h = 1e-5, error h^2 f'''/6 + 1e-16 f/h < 1e-8 here.
void expect_derivatives(const FunctionOfOne& f, double x) {
  constexpr double h = 1e-5;
  for (int order = 0; order < 3; ++order) {
    const double difference = (f.derivative_of_order(order, x + h) - f.derivative_of_order(order, x - h)) / (2 * h);
    EXPECT_NEAR(f.derivative_of_order(order + 1, x), difference, 1e-8) << "order " << order + 1 << " at " << x;
  }
}

TEST(ScalarFunction, PolynomialIsTheSumOfItsPowers) {
  const Polynomial f({1, -2, 0.5, 3});
  const double x = 0.7;
  EXPECT_NEAR(f.value(&x), 1 - 2 * x + 0.5 * x * x + 3 * x * x * x, 1e-15);
  expect_derivatives(f, x);
  EXPECT_EQ(f.derivative_of_order(3, x), 18);
  EXPECT_EQ(f.derivative_of_order(4, x), 0);
}

TEST(ScalarFunction, SinusoidHasEveryDerivative) {
  const Sinusoid f(0.4, 1.5, 0.2);
  EXPECT_NEAR(f.derivative_of_order(0, 0.9), 0.4 * std::sin(1.5 * 0.9 + 0.2), 1e-16);
  for (const double x : {-2.0, 0.0, 3.1}) expect_derivatives(f, x);
}

TEST(ScalarFunction, LinearMixesItsArguments) {
  const Linear f({2, -3}, 0.5);
  const double x[] = {0.1, 0.2};
  const int second[] = {1}, twice[] = {0, 1};
  EXPECT_NEAR(f.value(x), 0.5 + 0.2 - 0.6, 1e-15);
  EXPECT_EQ(f.derivative(second, x), -3);
  EXPECT_EQ(f.derivative(twice, x), 0);
}

TEST(CubicSpline, PassesThroughItsKnots) {
  const std::vector<double> x{-1, 0, 0.5, 2}, y{3, -1, 0.2, 0.4};
  const CubicSpline f(x, y);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(f.derivative_of_order(0, x[i]), y[i], 1e-15);
}

TEST(CubicSpline, IsTwiceSmoothAtItsKnotsAndStraightBeyondThem) {
  const CubicSpline f({-1, 0, 0.5, 2}, {3, -1, 0.2, 0.4});
  constexpr double h = 1e-9;  // third derivatives are of order 100: values on both sides of a knot differ by less than 1e-6
  for (const double knot : {-1.0, 0.0, 0.5, 2.0})
    for (int order = 0; order <= 2; ++order)
      EXPECT_NEAR(f.derivative_of_order(order, knot - h), f.derivative_of_order(order, knot + h), 1e-6) << knot << ' ' << order;
  for (const double x : {-1.7, -0.4, 0.2, 1.1, 3.0}) expect_derivatives(f, x);
  EXPECT_EQ(f.derivative_of_order(2, 5.0), 0);
}

// A straight line has no bending, so the natural spline through its points is the line.
TEST(CubicSpline, OfPointsOnALineIsTheLine) {
  const CubicSpline f({0, 1, 3, 4}, {1, 3, 7, 9});
  for (const double x : {-2.0, 0.3, 2.2, 3.9, 6.0}) EXPECT_NEAR(f.derivative_of_order(0, x), 1 + 2 * x, 1e-14);
}

TEST(CubicSpline, RefusesKnotsThatDoNotIncrease) {
  EXPECT_THROW(CubicSpline({0, 1, 1}, {0, 0, 0}), std::invalid_argument);
  EXPECT_THROW(CubicSpline({0}, {0}), std::invalid_argument);
  EXPECT_THROW(CubicSpline({0, 1}, {0}), std::invalid_argument);
  EXPECT_THROW(CubicSpline({0, std::nan("")}, {0, 1}), std::invalid_argument);
}

// d f(x(t))/dt by the chain rule: x and y move with their own rates.
TEST(ScalarFunction, DualNumbersFollowTheChainRule) {
  const Sinusoid f(1, 2);
  const Dual<Dual<double>> x(Dual<double>(0.3, 1), Dual<double>(1, 0));  // t itself, twice differentiable
  const auto y = apply_function(f, {}, &x);
  EXPECT_NEAR(y.value.slope, 2 * std::cos(0.6), 1e-15);
  EXPECT_NEAR(y.slope.slope, -4 * std::sin(0.6), 1e-15);
}

}  // namespace
}  // namespace polhode
