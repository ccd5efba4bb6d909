#pragma once
#include <optional>

#include "polhode/mechanism/forces/force_derivatives.h"
#include "polhode/tree/derivative_terms.h"
#include "polhode/tree/derivatives.h"

namespace polhode::tree {

/// A body and all that hangs on it as one rigid body, about the origin of the body's M, in Ground axes.
struct Composite {
  double mass;
  Vec3<double> first_moment;  ///< m c
  Mat3<double> inertia;
  Wrench<double> momentum;  ///< of the motion itself, not of the composite as one body
};

struct Derivatives::Data {
  explicit Data(const Mechanism& m);

  Mechanism mechanism;
  std::vector<double> q, u;
  std::vector<BodyTerms> bodies;
  std::vector<Composite> composites;

  // For springs between frames: the chart coordinates that move either frame, and the derivative of their difference.
  std::vector<int> moved;
  std::vector<Vec3<double>> difference_q;
  std::vector<bool> is_moved;

  // For forces on bodies that are neither on coordinates nor along lines.
  std::optional<ForceDifferentiator> differentiator;
  std::vector<int> touched;

  // For these and for users' potentials.
  std::vector<Transform<double>> X_WB;
  std::vector<Motion<double>> at_rest;
  std::vector<Wrench<double>> wrenches;
  std::vector<double> generalized, no_speeds, q_displaced, slope_before, slope_after;
  std::vector<BodyTerms> displaced;
  ForceScratches scratches;
};

/// Adds -V of the mechanism's springs and users' potentials, and its derivatives.
void subtract_potentials(Derivatives::Data& d, LagrangianDerivatives& out);
void subtract_users_potentials(Derivatives::Data& d, double t, LagrangianDerivatives& out);

}  // namespace polhode::tree
