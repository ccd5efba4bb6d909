#include "polhode/mechanism/curve.h"

#include <gtest/gtest.h>

#include <cmath>

#include "polhode/spatial/math.h"

namespace polhode {
namespace {

/// Slope and curvature against central differences of the order below: h^2 times third and fourth derivatives of a hundred at
/// most, and 1e-16/h: 1e-8.
void expect_derivatives(const Curve& f, double x) {
  constexpr double h = 1e-5;
  const Curve::Sample here = f.at(x), after = f.at(x + h), before = f.at(x - h);
  EXPECT_NEAR(here.slope, (after.value - before.value) / (2 * h), 2e-8) << x;
  EXPECT_NEAR(here.curvature, (after.slope - before.slope) / (2 * h), 2e-8) << x;
}

Curve waves(int points, Curve::Ends ends) {
  std::vector<double> x, y;
  for (int i = 0; i <= points; ++i) {
    x.push_back(2 * pi * i / points);
    y.push_back(std::sin(x.back()) + 0.3 * std::cos(2 * x.back()));
  }
  y.back() = y.front();
  return Curve::table(x, y, ends);
}

TEST(Curve, EveryFormHasItsOwnDerivatives) {
  const Curve all[] = {Curve::polynomial({0.2, -1, 0.5, 2}),
                       Curve::sine(0.3, 2, 0.4, 1),
                       waves(12, Curve::Ends::straight),
                       waves(12, Curve::Ends::closed),
                       Curve::sum({Curve::sine(1, 3), Curve::polynomial({0, 1})}),
                       Curve::of([](auto x) { return x * x * x; }),
                       Curve::function(std::make_shared<const Sinusoid>(2, 1.5, 0.1))};
  for (const Curve& f : all) {
    EXPECT_EQ(f.problem(), "");
    for (const double x : {-1.3, 0.2, 2.9, 7.1}) expect_derivatives(f, x);
  }
}

// A closed cubic spline meets a smooth periodic function to fourth order in its points' distance.
TEST(Curve, ClosedTablesMeetPeriodicFunctionsToFourthOrder) {
  const auto error = [](int points) {
    const Curve f = waves(points, Curve::Ends::closed);
    double most = 0;
    for (double x = -3; x < 12; x += 0.013)
      most = std::max(most, std::abs(f.at(x).value - std::sin(x) - 0.3 * std::cos(2 * x)));
    return most;
  };
  EXPECT_LT(error(20), 1e-3);
  const double ratio = error(20) / error(40);
  EXPECT_GT(ratio, 13);
  EXPECT_LT(ratio, 19);
}

// Continuous in value, slope and curvature over the seam and at the points; also with pieces of unequal lengths, and with the
// fewest points.
TEST(Curve, TablesAreTwiceContinuouslyDifferentiable) {
  const Curve closed[] = {Curve::table({0, 0.3, 1, 1.2, 2.5}, {1, 0.2, 0.7, -0.3, 1}, Curve::Ends::closed),
                          Curve::table({0, 1, 3}, {0, 1, 0}, Curve::Ends::closed),
                          Curve::table({-1, 0, 0.5, 2}, {0, 2, 1, 1}, Curve::Ends::straight)};
  for (const Curve& f : closed)
    for (const double x : std::get<Curve::Table>(f.form()).x) {
      constexpr double e = 1e-9;  // values differ by slope e, curvatures by a third derivative of some hundred times that
      const Curve::Sample left = f.at(x - e), right = f.at(x + e);
      EXPECT_NEAR(left.value, right.value, 1e-7);
      EXPECT_NEAR(left.slope, right.slope, 1e-6);
      EXPECT_NEAR(left.curvature, right.curvature, 1e-5) << x;
    }
  EXPECT_NEAR(closed[0].at(0.3).value, 0.2, 1e-15);
  EXPECT_NEAR(closed[0].at(0.3 - 2.5 * 7).value, 0.2, 1e-13);
  EXPECT_EQ(closed[2].at(5).curvature, 0);
}

TEST(Curve, SaysWhatIsWrongWithIt) {
  const auto says = [](const Curve& f, const char* words) {
    EXPECT_NE(f.problem().find(words), std::string::npos) << f.problem();
  };
  says(Curve::polynomial({}), "no coefficient");
  says(Curve::polynomial({1, NAN}), "not a finite number");
  says(Curve::sine(1, INFINITY), "not a finite number");
  says(Curve::table({0}, {1}), "1 points; give at least 2");
  says(Curve::table({0, 1}, {1, 1}, Curve::Ends::closed), "2 points; give at least 3");
  says(Curve::table({0, 1, 1}, {1, 2, 3}), "places must increase, but 1 follows 1");
  says(Curve::table({0, 1, 2}, {1, 2, 3}, Curve::Ends::closed), "begins with 1 and ends with 3");
  says(Curve::table({0, 1}, {1}), "2 places and 1 values");
  says(Curve::table({0, NAN}, {1, 2}), "point 2 of its table is not finite");
  says(Curve::sum({}), "no terms");
  says(Curve::sum({Curve::polynomial({NAN})}), "not a finite number");
  says(Curve::function(Curve::Function()), "empty");
}

}  // namespace
}  // namespace polhode
