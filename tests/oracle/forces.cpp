#include "tests/oracle/oracle.h"
#include "tests/oracle/poses.h"

namespace polhode::oracle {
namespace {

template <class T>
T distance(const Mechanism& mechanism, const PointSpring& spring, const std::vector<Transform<T>>& X_WB) {
  const Frame &a = mechanism.frames()[spring.frame_a.frame], &b = mechanism.frames()[spring.frame_b.frame];
  return norm(X_WB[b.body] * cast<T>(b.X_BF.p) - X_WB[a.body] * cast<T>(a.X_BF.p));
}

/// A tension does work only on the change of the length: tau_i = -tension d(length)/d(u_i).
double spring_force(const Mechanism& mechanism, const PointSpring& spring, const Vector& q, const Vector& u, int i) {
  const Dual1 length = distance(mechanism, spring, poses(mechanism, along(q, rates(mechanism, q, u))));
  Vector e(u.size(), 0.0);
  e[i] = 1;
  const double partial = distance(mechanism, spring, poses(mechanism, along(q, rates(mechanism, q, e)))).slope;
  return -(spring.stiffness * (length.value - spring.rest) + spring.damping * length.slope) * partial;
}

}  // namespace

Vector element_forces(const Mechanism& mechanism, const Vector& q, const Vector& u) {
  const Forces& forces = mechanism.forces();
  Vector tau(u.size(), 0.0);
  for (const auto& f : forces.of<CoordinateForce>()) tau[f.coordinate.u] += f.value;
  for (const auto& f : forces.of<CoordinateDamping>()) tau[f.coordinate.u] -= f.damping * u[f.coordinate.u];
  for (const auto& f : forces.of<CoordinateSpring>()) tau[f.coordinate.u] -= f.stiffness * (q[f.coordinate.q] - f.rest);
  const auto X_WB = poses(mechanism, q);
  for (int i = 0; i < int(u.size()); ++i) {
    for (const auto& f : forces.of<PointSpring>()) tau[i] += spring_force(mechanism, f, q, u, i);
    const auto partial = partial_velocities(mechanism, q, i);
    for (const auto& f : forces.of<BodyForce>()) {
      const Mat3<double> axes = f.in_ground ? Mat3<double>::identity() : X_WB[f.body.body].R;
      const Vec3<double> to_C = X_WB[f.body.body].R * mechanism.bodies()[f.body.body].mass.com;
      tau[i] +=
          dot(axes * f.torque, partial[f.body.body].angular) + dot(axes * f.force, shifted(partial[f.body.body], to_C).linear);
    }
  }
  return tau;
}

double potential_energy(const Mechanism& mechanism, const Vector& q) {
  double energy = gravity_energy(mechanism, q);
  const auto X_WB = poses(mechanism, q);
  for (const auto& f : mechanism.forces().of<CoordinateSpring>())
    energy += 0.5 * f.stiffness * square(q[f.coordinate.q] - f.rest);
  for (const auto& f : mechanism.forces().of<PointSpring>())
    energy += 0.5 * f.stiffness * square(distance(mechanism, f, X_WB) - f.rest);
  return energy;
}

}  // namespace polhode::oracle
