// Stepping tree-variational by hand. A bob on a wire goes round in a lift that accelerates upwards: in the lift it is a conical
// pendulum under g + a. Read off after each step: the discrete momenta, whose angular momentum about the vertical must not
// change; the wire's multiplier, its tension m (g + a) / cos(beta); and the force that moves the hook, m (g + a).
//
//   $ build/examples/steps_by_hand
//   tension 2.7954 N, closed form 2.7954 N; the hook takes 2.5620 N, closed form 2.5620 N
//   angular momentum about the vertical 0.11963 kg m^2/s, changed by 2e-16 in 1000 steps
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "polhode/polhode.h"
#include "polhode/variational/tree/tree_variational.h"

int main() {
  using namespace polhode;
  const double m = 0.2, g = 9.81, a = 3, length = 1, radius = 0.4, height = std::sqrt(length * length - radius * radius);
  const double turn = std::sqrt((g + a) / height);  // [rad/s]
  const std::string text = fmt::format(
      "(system (tz (kinematic \"lift\" (polynomial 0 0 {})) (name \"hook\"))"
      "  (body \"bob\" (mass {}) (pose {} 0 {})) (velocity \"bob\" (linear 0 {} 0)) (wire \"hook\" \"bob\" {}))",
      a / 2, m, radius, -height, turn * radius, length);
  const Mechanism mechanism = format::read_model(text, "lift.pol").mechanism;

  variational::TreeVariational stepper(mechanism, {.step = 1e-3});
  State state = tree::initial_state(mechanism);
  tree::assemble(state);  // meets the constraints to rounding
  stepper.set(state);

  const int x = mechanism.coordinate("bob.x"), y = mechanism.coordinate("bob.y");
  const int px = mechanism.speed("bob.x'"), py = mechanism.speed("bob.y'"), hook = mechanism.speed("lift'");
  const auto angular_momentum = [&] { return stepper.q()[x] * stepper.momenta()[py] - stepper.q()[y] * stepper.momenta()[px]; };
  const double start = angular_momentum();
  double changed = 0;
  for (int k = 0; k < 1000; ++k) {
    if (const StepReport report = stepper.step(1); !report.ok()) return std::puts(stepper.explain(report).c_str()), 1;
    changed = std::max(changed, std::abs(angular_momentum() - start));
  }
  const double tension = stepper.multipliers()[0], lift = stepper.driving_forces()[hook];
  const double tension_expected = m * (g + a) * length / height, lift_expected = m * (g + a);
  std::printf("tension %.4f N, closed form %.4f N; the hook takes %.4f N, closed form %.4f N\n", tension, tension_expected,
              lift, lift_expected);
  std::printf("angular momentum about the vertical %.5f kg m^2/s, changed by %.0e in 1000 steps\n", start, changed);
  const bool right = std::abs(tension - tension_expected) < 1e-4 && std::abs(lift - lift_expected) < 1e-4;  // O(h^2)
  return right && changed < 1e-13 ? 0 : 1;
}
