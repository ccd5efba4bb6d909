#pragma once
#include "tests/oracle/maximal_system.h"

/// The variational integrator of Bruedigam & Manchester as its equations say, with dense matrices, and the same read as RATTLE.
namespace polhode::oracle::maximal {

struct Step {
  bool converged = false;
  int iterations = 0;
  Eigen::VectorXd lambda{};  ///< first order: forces [N], (26) and (33). Second order: impulses [N s] by (v, omega)
  Eigen::VectorXd mu{};      ///< second order: the impulses that end the step
};

/// (26), (33), (27), (32). On entry x_2, q_2 and the velocities v_1, omega_1 of the step before; on exit x_3, q_3, v_2,
/// omega_2. A motion begins with v_1, omega_1 being its initial velocities: first order.
Step first_order_step(const System& system, double h, Motions& motions);

/// How a body's quaternion changes over a step: by the chord (32), or by the exponential map, as if omega did not change.
enum class TurnRule { chord, exponential };

/// RATTLE on SE(3). Velocities belong to the same instant as the places and keep the constraints. A turn by xi = h omega has
/// the action h omega.J omega/2, and so the momenta -d(action)/d(rotation) at its beginning, in the axes of then, and
/// d(action)/d(rotation) at its end, in the axes of then:
///   chord        e J omega +- n x J omega with n = xi/2, e = sqrt(1 - |n|^2);
///   exponential  D^-1 J omega and D^-T J omega, where exp(xi + d) = exp(xi) exp(D d) for small d.
/// A step is
///   beginning = J omega_k + h/2 torque + G_phi^T lambda, likewise in translation, so that g(x_k+1) = 0;
///   J omega_k+1 = end + h/2 torque + G_phi^T mu, so that G (v, omega)_k+1 = 0.
/// halfway: the velocities of the step, when asked for.
Step second_order_step(const System& system, double h, Motions& motions, TurnRule rule = TurnRule::chord,
                       Motions* halfway = nullptr);

}  // namespace polhode::oracle::maximal
