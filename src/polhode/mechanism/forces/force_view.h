#pragma once
#include <span>
#include <stdexcept>
#include <string>

#include "polhode/mechanism/forces/now.h"
#include "polhode/spatial/dual.h"
#include "polhode/spatial/spatial_vector.h"

namespace polhode {

class Mechanism;

/// Memory that a force element keeps from call to call, such as a list of neighbours: a user's element derives its own from
/// this (ForceElement::make_scratch). Every stepper, thread and workspace has one for itself.
struct ForceScratch {
  virtual ~ForceScratch() = default;
};

/// What a force may read: time, inputs, coordinates, speeds, and every body's pose and velocity in Ground. On dual numbers the
/// same code gives derivatives (forces/force_derivatives.h).
template <class T>
struct ForceView {
  const Mechanism& mechanism;
  double t;
  std::span<const T> q, u;
  std::span<const Transform<T>> X_WB;  ///< by body index; 0 is Ground
  std::span<const Motion<T>> V_WB;     ///< of each body's origin; zero, as u is, for potentials
  /// Auxiliary states and discrete variables: of a user's force element its own, in the order in which it names them; where
  /// the mechanism's own forces look, all of the mechanism. Potentials see none.
  std::span<const double> z{}, discrete{};
  /// All inputs of the mechanism (Mechanism::input(name) has the index); potentials see none, for who changes an input may not
  /// change a potential energy.
  std::span<const double> inputs{};
  ForceScratch* scratch = nullptr;  ///< what the element's make_scratch() made; null when it made none

  /// Throws std::out_of_range where there is no such input.
  double input(int i) const {
    if (i < 0 || std::size_t(i) >= inputs.size()) throw_no_input(i);
    return inputs[std::size_t(i)];
  }
  Now now() const { return {t, inputs, z, discrete}; }

 private:
  [[noreturn]] void throw_no_input(int i) const {
    throw std::out_of_range("input no. " + std::to_string(i) + " was asked for, but this element sees " +
                            std::to_string(inputs.size()) + ", counted from 0");
  }
};

/// What a force adds to: generalized forces by speed index, and wrenches on bodies in Ground axes.
template <class T>
struct ForceLoads {
  std::span<T> generalized;      ///< [N] or [N m], by speed index
  std::span<Wrench<T>> on_body;  ///< at each body's origin, in Ground axes
  std::span<const Transform<T>> X_WB;

  /// A force [N] in Ground axes at a point [m] given in Ground.
  POLHODE_INLINE void add_force_at(int body, const Vec3<T>& p_W, const Vec3<T>& force_W) {
    on_body[std::size_t(body)] += Wrench<T>{cross(p_W - X_WB[std::size_t(body)].p, force_W), force_W};
  }
  POLHODE_INLINE void add_torque(int body, const Vec3<T>& torque_W) { on_body[std::size_t(body)].moment += torque_W; }
};

using Configuration = ForceView<double>;
using AppliedForces = ForceLoads<double>;

}  // namespace polhode
