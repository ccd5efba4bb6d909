// Line joints that carry rods without a spin of their own. Bodies whose spin the joint forbids: nonholonomic_test.cpp.
#include "polhode/projected/tree/make_integrator.h"
#include "tests/support/near.h"
#include "tests/variational/stepping.h"
#include "tests/variational/tree/discrete_lagrangian.h"

namespace polhode::variational {
namespace {

using testing_support::near;
using testing_support::numbers;
using testing_support::Random;

/// A pin and a line joint on it, which carries a rod.
State line_on_a_pin(const JointModel& line) {
  Random random(6);
  const MassProperties rigid = transformed(random.transform(0.3), MassProperties::box(1.3, {0.3, 0.5, 0.7}));
  const Transform<double> X_BM = random.transform(0.5);
  MechanismBuilder builder;
  builder.add_body({.name = "base", .mass = rigid});
  builder.add_body({.name = "line", .mass = transformed(X_BM, MassProperties::rod(1.2, {0, 0, 0.9}))});
  builder.add_joint(
      {.name = "pin", .child = "base", .placement = LocalPlacement{random.transform(0.5), random.transform(0.5)}});
  builder.add_joint({.name = "joint",
                     .model = line,
                     .parent = "base",
                     .child = "line",
                     .placement = LocalPlacement{random.transform(0.5), X_BM}});
  return random_start(builder.build(), 8);
}
const JointModel lines[] = {LineOrientation{}, FreeLine{}};

// A rod's orientation is a point of the sphere, and its way through a step part of a great circle. By differences: 1e-7.
TEST(LineJoints, CarryRodsByTheDiscreteEquationsOfTheSphere) {
  const double h = 0.02;
  for (const JointModel& line : lines)
    for (const double alpha : {0.3, 0.5}) {
      const State start = line_on_a_pin(line);
      MidpointStep step(start.mechanism(), alpha, {});
      std::vector<double> q0 = numbers(start.q()), q1 = q0, p0(start.u().size()), p1 = p0, theta = p0, lambda;
      tree::Workspace w(start.mechanism());
      tree::positions(w, q0);
      tree::multiply_mass(w, start.u(), p0);
      for (std::size_t u = 0; u < p0.size(); ++u) theta[u] = h * start.u()[u];
      step.start(0, q0, p0, start.applied_forces());
      ASSERT_TRUE(step.solve(h, theta, lambda, q1, p1).ok());
      DiscreteLagrangian Ld(start.mechanism(), h, alpha, DiscreteLagrangian::Potentials::all);
      const Eigen::VectorXd left = -Ld.D1(q0, q1), right = Ld.D2(q0, q1);
      EXPECT_TRUE(near(p0, std::vector<double>(left.begin(), left.end()), 1e-7)) << type_name(line) << ", alpha " << alpha;
      EXPECT_TRUE(near(p1, std::vector<double>(right.begin(), right.end()), 1e-7)) << type_name(line) << ", alpha " << alpha;
      // The same momentum from the two configurations alone; both are exact but for Newton's 1e-12/h.
      TreeVariational stepper(start.mechanism(), {.step = h, .alpha = alpha});
      stepper.set(h, h, q0, q1);
      EXPECT_TRUE(near(stepper.momenta(), p1, 1e-9)) << type_name(line) << ", alpha " << alpha;
    }
}

TEST(LineJoints, ConvergeToTheContinuousMotionAtSecondOrder) {
  const double t = 0.1;
  for (const JointModel& line : lines) {
    const State start = line_on_a_pin(line);
    const auto exact = projected::make_integrator(start.mechanism(), {.accuracy = 1e-12});
    exact->set(start);
    run(*exact, t);
    const auto place = [](const State& s) { return numbers(s.pose(2).R * Vec3<double>{0, 0, 1}); };
    const auto error = [&](double h) {
      const auto a = place(end_of_run(start, t, {.step = h})), b = place(reached(*exact, start.mechanism()));
      return std::max({std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2])});
    };
    const double coarse = error(0.002), fine = error(0.001);
    EXPECT_NEAR(coarse / fine, 4, 0.2) << type_name(line) << ": " << coarse << ", " << fine;
  }
}

}  // namespace
}  // namespace polhode::variational
