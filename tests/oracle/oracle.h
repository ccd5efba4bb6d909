#pragma once
#include <Eigen/Core>
#include <vector>

#include "polhode/mechanism/mechanism.h"

/// What the tree algorithms must give, from definitions. Everything is differentiated exactly, by dual numbers, except
/// through users' joints that are not oracle::DifferentiableJoint.
namespace polhode::oracle {

using Vector = std::vector<double>;

struct BodyMotion {
  Transform<double> X_WB;
  Motion<double> V_WB, A_WB;   ///< of the origin, Ground axes
  Vec3<double> p_C, v_C, a_C;  ///< centre of mass
};

/// Poses and their first and second derivatives along the curve q(t) with speeds u and d(u)/dt = u_dot.
std::vector<BodyMotion> motions(const Mechanism& mechanism, const Vector& q, const Vector& u, const Vector& u_dot);

/// V_WB of every body when speed i is one and all others are zero.
std::vector<Motion<double>> partial_velocities(const Mechanism& mechanism, const Vector& q, int i);

double kinetic_energy(const Mechanism& mechanism, const Vector& q, const Vector& u);
/// Angular about Ground's origin, linear.
Wrench<double> momentum(const Mechanism& mechanism, const Vector& q, const Vector& u);
Vec3<double> center_of_mass(const Mechanism& mechanism, const Vector& q);

/// The Hessian of the kinetic energy, by polarisation: exact, because it is quadratic in u.
Eigen::MatrixXd mass_matrix(const Mechanism& mechanism, const Vector& q);

/// Kane: tau_i = sum over bodies of (partial velocity i) . (rate of momentum - gravity - wrench). Wrenches at the bodies'
/// origins in Ground axes, or none.
Vector inverse_dynamics(const Mechanism& mechanism, const Vector& q, const Vector& u, const Vector& u_dot,
                        const std::vector<Wrench<double>>& wrenches = {});

/// Euler and Lagrange: tau = d/dt dL/d(q_dot) - dL/dq. For trees all of whose speeds are the rates of their coordinates.
Vector euler_lagrange(const Mechanism& mechanism, const Vector& q, const Vector& u, const Vector& u_dot);

/// Generalized forces of the built-in force elements, gravity and users' elements left out.
Vector element_forces(const Mechanism& mechanism, const Vector& q, const Vector& u);
/// Gravity and springs, users' potentials left out.
double potential_energy(const Mechanism& mechanism, const Vector& q);

}  // namespace polhode::oracle
