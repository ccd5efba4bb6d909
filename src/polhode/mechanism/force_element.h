#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "polhode/spatial/spatial_vector.h"

namespace polhode {

class Mechanism;

/// What a force element may read: time, coordinates, speeds, and every body's pose and velocity in Ground.
struct Configuration {
  const Mechanism& mechanism;
  double t;
  std::span<const double> q, u;
  std::span<const Transform<double>> X_WB;  ///< by body index; 0 is Ground
  std::span<const Motion<double>> V_WB;     ///< of each body's origin; zero, as u is, for potentials
};

/// What a force element adds to: generalized forces by speed index, and wrenches on bodies in Ground axes.
struct AppliedForces {
  std::span<double> generalized;      ///< [N] or [N m], by speed index
  std::span<Wrench<double>> on_body;  ///< at each body's origin, in Ground axes
  std::span<const Transform<double>> X_WB;

  /// A force [N] in Ground axes at a point [m] given in Ground.
  void add_force_at(int body, const Vec3<double>& p_W, const Vec3<double>& force_W) {
    on_body[body] += Wrench<double>{cross(p_W - X_WB[body].p, force_W), force_W};
  }
  void add_torque(int body, const Vec3<double>& torque_W) { on_body[body].moment += torque_W; }
};

/// A user's potential energy: a function of configuration and the forces that follow from it. Immutable, as the mechanism is.
class Potential {
 public:
  virtual ~Potential() = default;
  virtual double energy(const Configuration&) const = 0;
  /// Adds minus the gradient of energy().
  virtual void add_forces(const Configuration&, AppliedForces&) const = 0;
};

/// A user's force that is not the gradient of a potential: drag, motors, controllers.
class ForceElement {
 public:
  virtual ~ForceElement() = default;
  virtual void add_forces(const Configuration&, AppliedForces&) const = 0;
};

/// Users' elements are made when the mechanism is built, so that they can look their frames and coordinates up by name:
///   builder.add_potential([](const Mechanism& m) { return std::make_shared<MySpring>(m.frame("tip")); });
using PotentialFactory = std::function<std::shared_ptr<const Potential>(const Mechanism&)>;
using ForceFactory = std::function<std::shared_ptr<const ForceElement>(const Mechanism&)>;

}  // namespace polhode
