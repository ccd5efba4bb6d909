#pragma once
#include "polhode/maximal/constraints.h"
#include "polhode/spatial/exponential.h"
#include "polhode/tree/dynamics.h"
#include "tests/support/random.h"

/// What tests of rows do with bodies.
namespace polhode::maximal {

/// Moved a little as the room's vectors of six say: turned in body axes, shifted in Ground axes.
inline BodyMotion displaced(BodyMotion body, const Vec3<double>& turn_in_body, const Vec3<double>& shift) {
  body.r = normalized(body.r * exp_rotation(turn_in_body));
  body.x += shift;
  return body;
}

/// All bodies but Ground carried on for the time dt with their velocities.
inline Bodies carried_on(const Bodies& bodies, double dt) {
  Bodies after = bodies;
  for (std::size_t b = 1; b < bodies.size(); ++b) after[b] = displaced(bodies[b], dt * bodies[b].w, dt * bodies[b].v);
  return after;
}

/// The same places with random velocities of order one, which no joint allows.
inline Bodies with_random_velocities(Bodies bodies, testing_support::Random& random) {
  for (std::size_t b = 1; b < bodies.size(); ++b) bodies[b].w = random.vec3(1), bodies[b].v = random.vec3(1);
  return bodies;
}

/// d(w, v)/dt of all bodies at given du/dt, in place of velocities; needs kinematics().
inline Bodies accelerations(tree::Workspace& w, const Bodies& bodies, const std::vector<double>& u_dot) {
  const Mechanism& m = w.mechanism();
  tree::accelerations(w, u_dot);
  Bodies result = bodies;
  for (int b = 1; b < m.num_bodies(); ++b) {
    const Mat3<double> R = rotation(bodies[b].r);
    const Motion<double> A = tree::acceleration(w, b);
    const Vec3<double> r = R * m.bodies()[b].mass.com, omega = R * bodies[b].w;
    result[b].w = transpose_times(R, A.angular);
    result[b].v = A.linear + cross(A.angular, r) + cross(omega, cross(omega, r));
  }
  return result;
}

/// Errors, Jacobian and products of one Constraints, with memory of their own.
struct Evaluated {
  std::vector<double> h, values;
  Evaluated(Constraints& constraints, double t, const Bodies& at, const std::vector<double>& near)
      : h(std::size_t(constraints.num_rows()), 99), values(std::size_t(constraints.num_values()), 99) {
    constraints.errors_and_jacobian(t, at, near, h, values);
  }
  std::vector<double> times(const Constraints& constraints, const Bodies& velocities) const {
    std::vector<double> out(h.size());
    constraints.multiply(values, velocities, out);
    return out;
  }
};

}  // namespace polhode::maximal
