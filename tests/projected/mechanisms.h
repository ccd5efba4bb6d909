#pragma once
#include <gtest/gtest.h>

#include "polhode/mechanism/builder.h"
#include "polhode/projected/tree/make_integrator.h"
#include "polhode/tree/realize.h"

/// Mechanisms and runs that the tests of the integrators share.
namespace polhode::projected {

inline MassProperties brick(double mass) { return MassProperties::box(mass, {0.3, 0.2, 0.1}, {0.05, -0.02, -0.2}); }

/// A pendulum of mass 1 on a massless rod of length 1, released at rest.
inline Mechanism pendulum(double angle) {
  MechanismBuilder b;
  b.add_body({.name = "bob", .mass = MassProperties::particle(1, {0, 0, -1})});
  b.add_joint({.name = "pin",
               .model = Revolute{},
               .child = "bob",
               .placement = DrawnPlacement{.at = {}, .axis = Vec3<double>{0, 1, 0}}});
  b.set_initial({.coordinate = "pin", .value = angle});
  return b.build();
}

/// A spatial mechanism with every kind of chart: a free base, a ball joint, a slider and a universal joint, springs and
/// gravity.
inline Mechanism spatial_mechanism() {
  MechanismBuilder b;
  b.add_body({.name = "base", .mass = brick(2)})
      .add_body({.name = "arm", .mass = brick(1)})
      .add_body({.name = "slide", .mass = brick(0.5)})
      .add_body({.name = "hand", .mass = brick(0.7)});
  b.add_joint({.name = "free", .model = Free{}, .child = "base"});
  b.add_joint({.name = "ball",
               .model = Ball{},
               .parent = "base",
               .child = "arm",
               .placement = LocalPlacement{at(0.1, 0, 0.2), at(0, 0.1, 0.3)}});
  b.add_joint({.name = "slider",
               .model = Prismatic{},
               .parent = "arm",
               .child = "slide",
               .placement = LocalPlacement{at(0, 0, -0.4), at(0, 0, 0)}});
  b.add_joint({.name = "universal",
               .model = Universal{},
               .parent = "slide",
               .child = "hand",
               .placement = LocalPlacement{at(0, 0.2, 0), at(0, 0, 0.2)}});
  b.add_force({PointSpringSpec{"ground", "base", 40, 0.2, 0}});
  b.add_force({CoordinateSpringSpec{"slider", 30, 0}});
  b.set_initial({.coordinate = "universal.x", .value = 0.3, .speed = 1.0});
  b.set_initial({.coordinate = "free.x", .value = 0.5});  // where the spring has a direction
  b.set_initial({.coordinate = "free.wx", .speed = 1.5});
  b.set_initial({.coordinate = "free.wz", .speed = -2.0});
  b.set_initial({.coordinate = "ball.wx", .speed = -1.0});
  b.set_initial({.coordinate = "ball.wy", .speed = 2.0});
  b.set_initial({.coordinate = "slider", .speed = 0.5});
  return b.build();
}

inline State run(const Mechanism& m, const Options& options, double time) {
  const auto stepper = make_integrator(m, options);
  State state(m);
  stepper->set(state);
  while (stepper->time() < time) EXPECT_TRUE(stepper->step(time).ok());
  stepper->get(state);
  return state;
}

/// Largest difference of bodies' poses: charts and quaternion signs do not matter.
inline double distance(State a, State b) {
  tree::realize(a, Stage::velocity);
  tree::realize(b, Stage::velocity);
  double worst = 0;
  for (int i = 1; i < a.mechanism().num_bodies(); ++i) {
    const Transform<double> X = inverse(a.pose(i)) * b.pose(i);
    worst = std::max({worst, norm(X.p), norm(log_rotation(X.R)), norm(a.velocity(i).linear - b.velocity(i).linear)});
  }
  return worst;
}

/// The slope of the straight line that fits log(error) over log(steps) best for n, 2n and 4n steps, which the middle one does
/// not change: error terms of neighbouring orders bend the line, so that from one doubling to the next slopes differ by up to
/// one.
template <class Error>
double fitted_order(const Error& error, int n) {
  return std::log2(error(n) / error(4 * n)) / 2;
}

}  // namespace polhode::projected
