#pragma once
#include <span>
#include <vector>

#include "polhode/maximal/body_motion.h"
#include "polhode/mechanism/mechanism.h"
#include "polhode/variational/maximal/six_vector.h"

namespace polhode::variational {

/// What a body weighs, and how an error of its equation of motion is judged.
struct BodyInertia {
  Mat3<double> J;
  double mass;
  double per_rotation, per_shift;  ///< displacement that a unit of momentum stands for, times 1/h
};

/// By body, Ground first. Errors are judged as displacements; bodies without mass or inertia as if they had the weight.
std::vector<BodyInertia> body_inertias(const Mechanism& mechanism, double weight);

/// The mean mass of bodies that have one; 1 where none has.
double typical_mass(const Mechanism& mechanism);

/// Of velocities as given [J].
double kinetic_energy(std::span<const BodyInertia> inertias, const maximal::Bodies& velocities);

/// A sum, so that what is not a number stays so.
inline double size_of(const Vec3<double>& a) { return std::abs(a.x) + std::abs(a.y) + std::abs(a.z); }

/// Numbers of momentum about one body, as a displacement over h.
inline double displacement_of(const BodyInertia& inertia, const double* six) {
  return inertia.per_rotation * size_of(angular(six)) + inertia.per_shift * size_of(linear_part(six));
}

}  // namespace polhode::variational
