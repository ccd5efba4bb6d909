#pragma once
#include <array>

#include "polhode/spatial/inertia.h"
#include "polhode/spatial/rotation_class.h"

namespace polhode {

class InverseSpatialInertia;

using SpatialMatrix = std::array<std::array<double, 6>, 6>;  ///< by rows

/// What a rigid body opposes to being moved, about the origin of some frame and in its axes (Simbody theory manual 12.1): with
/// mass m, centre of mass p and unit inertia G about the origin,
///
///   M = m [ G   p^ ]       M V is the momentum of a body that moves with V, moment about the origin over force.
///         [-p^  1  ]
///
/// It can be made of what matter can have only. 10 numbers, not 36.
class SpatialInertia {
 public:
  /// Throws std::invalid_argument, with every reason, for properties that no matter has.
  explicit SpatialInertia(const MassProperties& properties);

  double mass() const { return matter_.mass; }                  ///< [kg]
  const Vec3<double>& com() const { return matter_.com; }       ///< centre of mass from the origin [m]
  const MassProperties& properties() const { return matter_; }  ///< the same as mass properties
  /// [kg m^2] about the origin.
  SymMat3<double> inertia_about_origin() const { return matter_.inertia_about_origin(); }

  /// The same matter about another origin, p away from the old one, in the same axes (12.3.1).
  SpatialInertia shifted(const Vec3<double>& p) const;
  /// The same matter in the axes of frame A, R_AB being the orientation of its present axes in A.
  SpatialInertia expressed_in(const Rotation& R_AB) const;
  /// Both bodies as one; both about one origin, in one frame's axes.
  SpatialInertia operator+(const SpatialInertia& other) const;
  friend bool operator==(const SpatialInertia&, const SpatialInertia&) = default;

  /// M V.
  Wrench<double> operator*(const Motion<double>& V) const;
  /// V^T M V / 2 [J].
  double kinetic_energy(const Motion<double>& V) const;
  SpatialMatrix matrix() const;  ///< M

  /// By one symmetric 3x3 inverse (12.4). Throws std::domain_error for bodies that some motion of costs nothing: without mass,
  /// particles, and matter on a line.
  InverseSpatialInertia inverse() const;

 private:
  struct Trusted {};
  SpatialInertia(const MassProperties& matter, Trusted) : matter_(matter) {}
  friend class InverseSpatialInertia;

  MassProperties matter_;
};

/// The inverse of a spatial inertia (12.2): takes wrenches to the accelerations that they give a free body at rest,
///
///   M^-1 = [ J^-1      -J^-1 p^          ]      J: the inertia about the centre of mass
///          [ p^ J^-1   1/m - p^ J^-1 p^  ]
class InverseSpatialInertia {
 public:
  double mass() const { return matter_.mass; }             ///< [kg], of the body
  const Vec3<double>& com() const { return matter_.com; }  ///< from the origin [m]

  /// M^-1 F.
  Motion<double> operator*(const Wrench<double>& F) const;
  InverseSpatialInertia shifted(const Vec3<double>& p) const;                      ///< inverse of the shifted inertia
  InverseSpatialInertia expressed_in(const Rotation& R_AB) const;                  ///< inverse of it in other axes (12.3)
  SpatialInertia inverse() const { return {matter_, SpatialInertia::Trusted{}}; }  ///< M
  SpatialMatrix matrix() const;                                                    ///< M^-1

 private:
  friend class SpatialInertia;
  InverseSpatialInertia(const MassProperties& matter, const SymMat3<double>& J_inverse)
      : matter_(matter), J_inverse_(J_inverse) {}

  MassProperties matter_;
  SymMat3<double> J_inverse_;
};

}  // namespace polhode
