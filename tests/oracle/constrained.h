#pragma once
#include <span>

#include "polhode/mechanism/constraints/custom_constraint.h"
#include "tests/oracle/oracle.h"
#include "tests/oracle/poses.h"

/// Constrained dynamics from definitions. Every row is written out again from the poses of its frames (constrained_rows.cpp)
/// and differentiated along the motion by nested dual numbers; the equations
///   [M G^T; G 0] [du/dt; lambda] = [f; b]
/// (seed 002, (8.11), (8.12); seed 000, (28), (29), (36) in q) are put up densely and solved by an orthogonal decomposition.
namespace polhode::oracle {

/// A user's constraint that can be differentiated exactly; the oracle takes no other ones.
class DifferentiableConstraint : public CustomConstraint {
 public:
  virtual void errors(const Dual2& t, std::span<const Dual2> q, std::span<const Transform<Dual2>> X_WB,
                      std::span<Dual2> h) const = 0;
  using CustomConstraint::errors;
};

/// One equation on the curve q(t): its error at the levels at which it says something, zero at the others.
/// The acceleration is d2h/dt2, dv/dt or the row itself, G du/dt - b.
struct RowErrors {
  enum class Level { position, velocity, acceleration } level;
  double position, velocity, acceleration;
};

/// Rows of the enabled elements (none given: of all), loop joints first, then constraints.
std::vector<RowErrors> row_errors(const Mechanism& mechanism, double t, const Vector& q, const Vector& u, const Vector& u_dot,
                                  std::span<const char> enabled = {});

/// G du/dt = b, exactly: the acceleration errors are linear in du/dt.
struct ConstraintEquations {
  std::vector<RowErrors> rows;  ///< at du/dt = 0
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
  int rank;              ///< of G on the speeds that are not driven
};

/// tau: all applied generalized forces but gravity. Rows must not contradict each other. Driven speeds are partitioned off,
/// (8.29) to (8.35): what they need is no concern of the multipliers.
ConstrainedAccelerations constrained_accelerations(const Mechanism& mechanism, double t, const Vector& q, const Vector& u,
                                                   const Vector& tau, const Prescribed& prescribed = {},
                                                   std::span<const char> enabled = {});

}  // namespace polhode::oracle
