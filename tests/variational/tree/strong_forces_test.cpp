// Strong forces make much of what Newton's iteration leaves: steps must be solved to what numbers can tell.
#include <gtest/gtest.h>

#include <cmath>

#include "polhode/format/language/model.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"

namespace polhode::variational {
namespace {

// A bead on a rail, on a spring of 1e6 N/m that hangs a metre beside it, and one on a spring of 1e-6 N/m. The steps of the
// first one again, in long double, by Newton's iteration until it stands still.
TEST(StrongForces, AreBalancedWhateverWeakOnesStandBesideThem) {
  const double h = 1e-3, time = 0.5;
  const std::string text =
      "(system (gravity 0 0 0) (tx \"a\" (name \"A\") (mass 1)) (ty 1 (tx \"b\" (name \"B\") (mass 1)))"
      "(frame \"na\" ground 0 0 1) (frame \"nb\" ground 0 1 1) (spring \"na\" \"A\" 1e6 0.9) (spring \"nb\" \"B\" 1e-6 0.9)"
      "(initial (\"a\" 0.5) (\"b\" 0.5)))";
  const Mechanism mechanism = format::read_model(text, "springs.pol").mechanism;
  double found = 0;
  study::simulate(tree::initial_state(mechanism), {.time = time, .dt = h, .interval = time},
                  [&](const State& state) { found = state.q()[std::size_t(mechanism.coordinate("a"))]; });

  using Real = long double;
  const Real k = 1e6L, rest = 0.9L;
  const auto length = [](Real x) { return std::sqrt(x * x + 1); };
  const auto force = [&](Real x) { return -k * (1 - rest / length(x)) * x; };
  const auto slope = [&](Real x) { return -k * (1 - rest / (length(x) * length(x) * length(x))); };
  Real x = 0.5L, p = 0, theta = 0;
  for (int step = 0; step < 500; ++step) {
    for (int i = 0; i < 20; ++i)
      theta -= (p + Real(h) / 2 * force(x + theta / 2) - theta / Real(h)) / (Real(h) / 4 * slope(x + theta / 2) - 1 / Real(h));
    p += Real(h) * force(x + theta / 2);
    x += theta;
  }
  // The tolerance of 1e-12 m in a step is an impulse of 1e-3 s * 1e6 N/m * 1e-12 m, which is 5e-12 of the momentum of 180 kg
  // m/s. Phases add these up twice: after 500 steps they are off by 6e-7 rad, places of half a metre by half of that.
  EXPECT_NEAR(found, double(x), 3e-7);
}

}  // namespace
}  // namespace polhode::variational
