#include "polhode/mechanism/signal_integral.h"

#include <gtest/gtest.h>

#include <cmath>

namespace polhode {
namespace {

void expect_integrals(const Signal& s, double a, double b, double first, double second, double tolerance = 1e-14) {
  const SignalIntegrals found = integrals(s, a, b);
  EXPECT_NEAR(found.first, first, tolerance * (1 + std::abs(first)));
  EXPECT_NEAR(found.second, second, tolerance * (1 + std::abs(second)));
}

TEST(SignalIntegral, OfPolynomialsIsTheirs) {
  // s = 1 + 2 t + 3 t^2: int_a^b (b - t) s dt by powers of L = b - a with s expanded about a = 0.5.
  const double a = 0.5, b = 1.25, L = b - a, s = 1 + 2 * a + 3 * a * a, s1 = 2 + 6 * a, s2 = 6;
  expect_integrals(Signal::polynomial({1, 2, 3}), a, b, s * L + s1 * L * L / 2 + s2 * L * L * L / 6,
                   s * L * L / 2 + s1 * L * L * L / 6 + s2 * L * L * L * L / 24);
  expect_integrals(Signal::constant(4), 1, -2, -12, 18);
}

TEST(SignalIntegral, OfSinesIsTheirsHoweverFastTheyAre) {
  for (const double w : {1e-9, 0.3, 2.0, 700.0}) {
    const double a = 0.1, b = 0.7, phase = 0.4, offset = -0.2, L = b - a;
    // long double: antiderivatives of slow sines cancel.
    const long double at_a = (long double)w * a + phase, at_b = (long double)w * b + phase;
    const long double first = (std::cos(at_a) - std::cos(at_b)) / w;
    const long double second = (L * std::cos(at_a) - (std::sin(at_b) - std::sin(at_a)) / w) / w;
    if (w < 1e-3) {  // s = sin(phase) to 1e-9 and its slope
      const double s = std::sin(phase), s1 = w * std::cos(phase), mid = s + s1 * a;
      expect_integrals(Signal::sine(1, w, phase, offset), a, b, (mid + offset) * L + s1 * L * L / 2,
                       (mid + offset) * L * L / 2 + s1 * L * L * L / 6);
      continue;
    }
    expect_integrals(Signal::sine(1, w, phase, offset), a, b, double(first) + offset * L, double(second) + offset * L * L / 2,
                     1e-13);
  }
}

TEST(SignalIntegral, OfSplinesIsExactAcrossKnotsAndBeyondTheirEnds) {
  const std::vector<double> t{0, 0.3, 1, 1.1, 2}, x{1, -2, 0.5, 3, 0};
  const Signal spline = Signal::samples(t, x);
  const CubicSpline same(t, x);
  EXPECT_NEAR(integrals(spline, 0.1, 1.9).first, same.integral(1.9) - same.integral(0.1), 1e-14);
  EXPECT_NEAR(integrals(spline, 1.9, 0.1).first, same.integral(0.1) - same.integral(1.9), 1e-14);
  EXPECT_NEAR(integrals(spline, -3, 5).first, 3 * 1.0 + same.integral(2) + 3 * 0.0, 1e-14);
  // Straight pieces from (0, 0) to (1, 2) to (3, 0): areas of triangles, and their first moments about b = 3.
  expect_integrals(Signal::samples({0, 1, 3}, {0, 2, 0}, Signal::Joining::linear), 0, 3, 3,
                   1 * (3 - 2.0 / 3) + 2 * (3 - 5.0 / 3));
}

// d/dT of both integrals, which is the definition, by what they add up to over consecutive pieces.
TEST(SignalIntegral, OfAnySignalAddsUpOverPieces) {
  const Signal any = Signal::sum({Signal::product({Signal::sine(1, 5), Signal::samples({0, 0.4, 1}, {1, 2, 0})}),
                                  Signal::of([](auto time) { return time * time; }), Signal::sine(0.1, 90)});
  const double a = -0.2, m = 0.33, b = 1.4;
  const SignalIntegrals whole = integrals(any, a, b), one = integrals(any, a, m), two = integrals(any, m, b);
  EXPECT_NEAR(whole.first, one.first + two.first, 1e-12);
  EXPECT_NEAR(whole.second, one.second + (b - m) * one.first + two.second, 1e-12);
  const SignalIntegrals back = integrals(any, b, a);
  EXPECT_NEAR(back.first, -whole.first, 1e-14);
  // int_b^a (a - t) s dt = (b - a) int_a^b s dt - int_a^b (b - t) s dt
  EXPECT_NEAR(back.second, (b - a) * whole.first - whole.second, 1e-13);
}

TEST(SignalIntegral, OfNonsenseEndsAndIsNoNumber) {
  EXPECT_FALSE(std::isfinite(integrals(Signal::sine(1, 1), 0, NAN).first));
  EXPECT_FALSE(std::isfinite(integrals(Signal::samples({0, 1}, {0, 1}), 0, INFINITY).first));
  EXPECT_TRUE(std::isfinite(integrals(Signal::product({Signal::sine(1, 1e300), Signal::sine(1, 1)}), 0, 1).first));
}

}  // namespace
}  // namespace polhode
