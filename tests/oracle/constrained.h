#pragma once
#include <span>

#include "tests/oracle/oracle.h"

/// Constrained dynamics from definitions: rows as constraint_rows.h writes them out, differentiated along the motion by nested
/// dual numbers, and the equations
///   [M G^T; G 0] [du/dt; lambda] = [f; b]
/// (Simbody theory manual (8.11), (8.12); Johnson & Murphey (28), (29), (36) in q) put up densely and solved by an orthogonal
/// decomposition. Users' constraints, and loop joints whose rows have no closed form, are refused.
namespace polhode::oracle {

/// G du/dt = b of the enabled elements (none given: of all), loop joints first, then constraints.
struct ConstraintEquations {
  Eigen::MatrixXd G;
  Eigen::VectorXd b;
};
ConstraintEquations constraint_equations(const Mechanism& mechanism, double t, const Vector& q, const Vector& u,
                                         std::span<const char> enabled = {});

/// Which speeds' rates are known, and their values; the others' entries are not read.
struct Prescribed {
  std::vector<char> driven{};  ///< by speed; empty: none
  Vector u_dot{};
};

struct ConstrainedAccelerations {
  Vector u_dot;
  Vector lambda;         ///< of all that do the same, the smallest
  Vector motion_forces;  ///< what the known accelerations take, on the side of the applied forces
};

/// tau: all applied generalized forces but gravity. Rows must not contradict each other. Driven speeds are partitioned off,
/// (8.29) to (8.35): what they need is no concern of the multipliers.
ConstrainedAccelerations constrained_accelerations(const Mechanism& mechanism, double t, const Vector& q, const Vector& u,
                                                   const Vector& tau, const Prescribed& prescribed = {},
                                                   std::span<const char> enabled = {});

}  // namespace polhode::oracle
