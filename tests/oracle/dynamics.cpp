#include <stdexcept>

#include "tests/oracle/oracle.h"
#include "tests/oracle/poses.h"

namespace polhode::oracle {
namespace {

Vector unit(int size, int i) {
  Vector e(size, 0.0);
  e[i] = 1;
  return e;
}

/// Inertia about the centre of mass, in Ground axes.
Mat3<double> central_inertia(const Mechanism& mechanism, int b, const Mat3<double>& R_WB) {
  return R_WB * mechanism.bodies()[b].mass.inertia.full() * transpose(R_WB);
}

}  // namespace

std::vector<BodyMotion> motions(const Mechanism& mechanism, const Vector& q, const Vector& u, const Vector& u_dot) {
  // d2q/dt2 is the slope of N(q) u along the curve itself.
  const Vector q_dot = rates(mechanism, q, u);
  const std::vector<Dual1> q_dot_curve = rates(mechanism, along(q, q_dot), along(u, u_dot));
  const std::vector<Transform<Dual2>> X_WB = poses(mechanism, along(along(q, q_dot), q_dot_curve));

  std::vector<BodyMotion> out(mechanism.num_bodies());
  for (int b = 0; b < mechanism.num_bodies(); ++b) {
    BodyMotion& B = out[b];
    const Mat3<Dual1> R = value(X_WB[b].R), R_dot = slope(X_WB[b].R);  // each with its own rate
    const Vec3<Dual2> p_C = X_WB[b] * cast<Dual2>(mechanism.bodies()[b].mass.com);
    B.X_WB = {value(R), value(value(X_WB[b].p))};
    B.V_WB = {angular_velocity(R), value(slope(X_WB[b].p))};
    B.A_WB = {slope(vee(R_dot * transpose(R))), slope(slope(X_WB[b].p))};
    B.p_C = value(value(p_C)), B.v_C = value(slope(p_C)), B.a_C = slope(slope(p_C));
  }
  return out;
}

std::vector<Motion<double>> partial_velocities(const Mechanism& mechanism, const Vector& q, int i) {
  const Vector q_dot = rates(mechanism, q, unit(mechanism.num_u(), i));
  const std::vector<Transform<Dual1>> X_WB = poses(mechanism, along(q, q_dot));
  std::vector<Motion<double>> V(X_WB.size());
  for (std::size_t b = 0; b < V.size(); ++b) V[b] = {angular_velocity(X_WB[b].R), slope(X_WB[b].p)};
  return V;
}

double kinetic_energy(const Mechanism& mechanism, const Vector& q, const Vector& u) {
  return kinetic_energy_of_rates(mechanism, q, rates(mechanism, q, u));
}

Wrench<double> momentum(const Mechanism& mechanism, const Vector& q, const Vector& u) {
  const auto bodies = motions(mechanism, q, u, Vector(u.size(), 0.0));
  Wrench<double> sum{};
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const BodyMotion& B = bodies[b];
    const Vec3<double> linear = mechanism.bodies()[b].mass.mass * B.v_C;
    sum += Wrench<double>{cross(B.p_C, linear) + central_inertia(mechanism, b, B.X_WB.R) * B.V_WB.angular, linear};
  }
  return sum;
}

Vec3<double> center_of_mass(const Mechanism& mechanism, const Vector& q) {
  const auto X_WB = poses(mechanism, q);
  double mass = 0;
  Vec3<double> moment{};
  for (int b = 1; b < mechanism.num_bodies(); ++b) {
    const MassProperties& m = mechanism.bodies()[b].mass;
    mass += m.mass, moment += m.mass * (X_WB[b] * m.com);
  }
  return (1 / mass) * moment;
}

Eigen::MatrixXd mass_matrix(const Mechanism& mechanism, const Vector& q) {
  const int n = mechanism.num_u();
  Vector energy(n);
  for (int i = 0; i < n; ++i) energy[i] = kinetic_energy(mechanism, q, unit(n, i));
  Eigen::MatrixXd M(n, n);
  for (int i = 0; i < n; ++i) {
    M(i, i) = 2 * energy[i];
    for (int j = 0; j < i; ++j) {
      Vector both = unit(n, i);
      both[j] = 1;
      M(i, j) = M(j, i) = kinetic_energy(mechanism, q, both) - energy[i] - energy[j];
    }
  }
  return M;
}

Vector inverse_dynamics(const Mechanism& mechanism, const Vector& q, const Vector& u, const Vector& u_dot,
                        const std::vector<Wrench<double>>& wrenches) {
  const auto bodies = motions(mechanism, q, u, u_dot);
  Vector tau(u.size(), 0.0);
  for (int i = 0; i < int(tau.size()); ++i) {
    const auto partial = partial_velocities(mechanism, q, i);
    for (int b = 1; b < mechanism.num_bodies(); ++b) {
      const BodyMotion& B = bodies[b];
      const Mat3<double> I = central_inertia(mechanism, b, B.X_WB.R);
      const Vec3<double>& w = B.V_WB.angular;
      const Vec3<double> force = mechanism.bodies()[b].mass.mass * (B.a_C - mechanism.gravity());
      const Vec3<double> moment = I * B.A_WB.angular + cross(w, I * w);
      tau[i] += dot(moment, partial[b].angular) + dot(force, shifted(partial[b], B.p_C - B.X_WB.p).linear);
      if (!wrenches.empty()) tau[i] -= dot(wrenches[b], partial[b]);
    }
  }
  return tau;
}

Vector euler_lagrange(const Mechanism& mechanism, const Vector& q, const Vector& u, const Vector& u_dot) {
  if (mechanism.num_q() != mechanism.num_u()) throw std::invalid_argument("Euler-Lagrange needs speeds that are rates");
  const int n = mechanism.num_u();
  Vector tau(n);
  for (int i = 0; i < n; ++i) {
    // Inner slope: time. Outer slope: the i-th rate. Gravity does not depend on rates.
    std::vector<Dual2> q_t(n), rate(n);
    for (int k = 0; k < n; ++k) {
      q_t[k] = {{q[k], u[k]}, {0, 0}};
      rate[k] = {{u[k], u_dot[k]}, {k == i ? 1.0 : 0.0, 0}};
    }
    const double rate_of_momentum = kinetic_energy_of_rates(mechanism, q_t, rate).slope.slope;

    const std::vector<Dual1> q_i = along(q, unit(n, i)), fixed_rate = along(u, Vector(n, 0.0));
    const Dual1 lagrangian = kinetic_energy_of_rates(mechanism, q_i, fixed_rate) - gravity_energy(mechanism, q_i);
    tau[i] = rate_of_momentum - lagrangian.slope;
  }
  return tau;
}

}  // namespace polhode::oracle
