// A constraint of one's own: a bead slides in a bowl, z = c (x^2 + y^2). Going round at the height of its start it needs
// sqrt(2 g c) rad/s, whatever the radius, and the bowl carries its weight. It must be back where it was after one turn.
//
//   $ build/examples/custom_constraint
//   after one turn the bead is 2.4e-06 m from its start; the bowl lifts it with 0.490500 N; off the bowl by 4e-15 m
#include <cmath>
#include <cstdio>

#include "polhode/polhode.h"
#include "polhode/variational/tree/tree_variational.h"

namespace {

using namespace polhode;

class Bowl : public CustomConstraint {
 public:
  Bowl(int body, double c) : body_(body), c_(c) {}
  int num_rows() const override { return 1; }
  std::vector<int> bodies() const override { return {body_}; }
  void errors(const ConstraintConfiguration& at, std::span<double> h) const override {
    const Vec3<double> p = at.X_WB[0].p;
    h[0] = p.z - c_ * (p.x * p.x + p.y * p.y);
  }
  void gradient(const ConstraintConfiguration& at, int, ConstraintGradient& out) const override {
    const Vec3<double> p = at.X_WB[0].p;
    out.add_force_at(0, p, {-2 * c_ * p.x, -2 * c_ * p.y, 1});
  }

 private:
  int body_;
  double c_;  // [1/m]
};

}  // namespace

int main() {
  const double m = 0.05, c = 0.8, g = 9.81, radius = 0.3, rate = std::sqrt(2 * g * c), period = 2 * pi / rate;
  MechanismBuilder builder;
  builder.add_body({.name = "bead", .mass = {.mass = m}, .drawn_pose = at(radius, 0, c * radius * radius)});
  builder.add_constraint({"bowl", [&](const Mechanism& model) { return std::make_shared<Bowl>(model.body("bead"), c); }});
  builder.set_velocity({.body = "bead", .V_WB = {{}, {0, rate * radius, 0}}});
  const Mechanism mechanism = builder.build();

  const State start = tree::initial_state(mechanism);
  State end = start;
  variational::TreeVariational stepper(mechanism, {.step = period / 1000});
  stepper.set(start);
  double off = 0;
  while (stepper.time() < period) {
    if (const StepReport report = stepper.step(period); !report.ok()) return std::puts(stepper.explain(report).c_str()), 1;
    off = std::max(off, stepper.constraint_error());
  }
  stepper.get(end);
  tree::realize(end, Stage::position);
  const Vec3<double> p = end.pose(mechanism.body("bead")).p;
  const double away = norm(p - Vec3<double>{radius, 0, c * radius * radius});
  const double lift = -stepper.multipliers()[0];  // M u' + G^T lambda = f, and G has 1 upwards
  std::printf("after one turn the bead is %.1e m from its start; the bowl lifts it with %.6f N; off the bowl by %.0e m\n", away,
              lift, off);
  // Both are of the order of (2 pi / 1000)^2.
  return away < 1e-5 && std::abs(lift - m * g) < 1e-5 && off < 1e-11 ? 0 : 1;
}
