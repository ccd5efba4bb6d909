// A constraint that an event disables. A bob swings down on a string of 1 m and is let go when it has come up to x = 0.6 m on
// the other side. There it has the speed sqrt(2 g 0.8) across the string, so it lands, 2 m below the hook, where the parabola
// says.
//
//   $ build/examples/pick_and_release
//   let go at 0.7427 s; lands at x = 3.1137 m after 1.5358 s; the closed form says 3.1137 m, 0.7931 s after it was let go
#include <cmath>
#include <cstdio>

#include "polhode/polhode.h"

int main() {
  using namespace polhode;
  const Mechanism mechanism = format::read_model(R"((system
    (body "bob" (mass 0.5) (pose -1 0 0))
    (wire ground "bob" 1 (name "string"))
    (point-constraint ground "bob" 0 1 0)
    (event "let go" (when "bob.x" rises 0.6) (disable "string"))
    (event "landing" (when (position "bob" z) falls -2) (stop))))",
                                                 "sling.pol")
                                  .mechanism;

  State start = tree::initial_state(mechanism);
  tree::assemble(start);
  double x = 0;
  const auto keep = [&](const State& state) { x = state.q()[std::size_t(state.mechanism().coordinate("bob.x"))]; };
  const auto summary = study::simulate(start, {.method = "tree-variational", .time = 10, .dt = 5e-4}, keep);

  const double g = 9.81, x0 = 0.6, z0 = -0.8, v = std::sqrt(2 * g * -z0), vx = v * -z0, vz = v * x0;
  const double flight = (vz + std::sqrt(vz * vz + 2 * g * (z0 + 2))) / g, x_expected = x0 + vx * flight;
  const double let_go = summary.event_counts[0].first;
  std::printf("let go at %.4f s; lands at x = %.4f m after %.4f s; the closed form says %.4f m, %.4f s after it was let go\n",
              let_go, x, summary.time_end, x_expected, flight);
  const bool right = std::abs(x - x_expected) < 1e-4 && std::abs(summary.time_end - let_go - flight) < 1e-4;  // O(h^2)
  return summary.completed && right ? 0 : 1;
}
