// A force of one's own: air drag c |v| v on a falling ball. Its speed must follow the closed form
// v(t) = v_end tanh(g t / v_end) with v_end = sqrt(m g / c).
//
//   $ build/examples/custom_force
//   after 3 s the ball falls at 13.594 m/s, closed form 13.594 m/s
#include <cmath>
#include <cstdio>

#include "polhode/polhode.h"

namespace {

using namespace polhode;

class Drag : public ForceElement {
 public:
  Drag(int body, double coefficient) : body_(body), c_(coefficient) {}
  void add_forces(const Configuration& c, AppliedForces& forces) const override {
    const Vec3<double> v = c.V_WB[body_].linear;
    forces.add_force_at(body_, c.X_WB[body_].p, (-c_ * norm(v)) * v);
  }

 private:
  int body_;
  double c_;  // [N s^2/m^2]
};

}  // namespace

int main() {
  const double m = 0.2, c = 0.01, g = 9.81, t = 3;
  MechanismBuilder builder;
  builder.add_body({.name = "ball", .mass = MassProperties::sphere(m, 0.05)});
  builder.add_force_element([&](const Mechanism& mechanism) { return std::make_shared<Drag>(mechanism.body("ball"), c); });

  double speed = 0;
  study::simulate(State(builder.build()), {.method = "tree-projected", .time = t, .options = {{"accuracy", 1e-10}}},
                  [&](const State& s) { speed = -s.velocity(1).linear.z; });
  const double v_end = std::sqrt(m * g / c), expected = v_end * std::tanh(g * t / v_end);
  std::printf("after %g s the ball falls at %.3f m/s, closed form %.3f m/s\n", t, speed, expected);
  return std::abs(speed - expected) < 1e-7 ? 0 : 1;
}
