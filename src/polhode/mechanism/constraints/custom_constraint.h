#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "polhode/spatial/spatial_vector.h"

namespace polhode {

class Mechanism;

/// What a user's constraint may read: time, coordinates, and the poses in Ground of the bodies that it named, in its order.
struct ConstraintConfiguration {
  const Mechanism& mechanism;
  double t;
  std::span<const double> q;
  std::span<const Transform<double>> X_WB;
};

/// Where it puts the derivative of one row: dh/dt = sum on_body[i] . V_WB[i] + sum on_speed[k] u[k] + rate.
/// All are zero to begin with.
struct ConstraintGradient {
  std::span<Wrench<double>> on_body;  ///< at the bodies' origins in Ground axes; in the order of bodies()
  std::span<double> on_speed;         ///< in the order of speeds()
  std::span<const Transform<double>> X_WB;

  /// The row changes by force . v when the point at p_W, fixed on the i-th of the named bodies, moves with v.
  void add_force_at(int i, const Vec3<double>& p_W, const Vec3<double>& force_W) {
    on_body[i] += Wrench<double>{cross(p_W - X_WB[i].p, force_W), force_W};
  }
  void add_torque(int i, const Vec3<double>& torque_W) { on_body[i].moment += torque_W; }
};

/// A user's own holonomic constraint h(t, q) = 0. Derive, and hand a factory to MechanismBuilder::add_constraint.
/// Immutable, as the mechanism is; errors() and gradient() are called in every step and should not allocate.
class CustomConstraint {
 public:
  virtual ~CustomConstraint() = default;
  virtual int num_rows() const = 0;
  /// Bodies (by index) whose poses the rows read. They cannot depend on others.
  virtual std::vector<int> bodies() const { return {}; }
  /// Speeds (by index) of the coordinates that the rows read directly.
  virtual std::vector<int> speeds() const { return {}; }

  virtual void errors(const ConstraintConfiguration& at, std::span<double> h) const = 0;
  virtual void gradient(const ConstraintConfiguration& at, int row, ConstraintGradient& out) const = 0;
  /// The partial derivative of each row with respect to time, for rows that depend on it explicitly.
  virtual void rates(const ConstraintConfiguration&, std::span<double> h_t) const {
    for (double& rate : h_t) rate = 0;
  }
};

/// Made when the mechanism is built, so that it can look its bodies and coordinates up by name:
///   builder.add_constraint({"cam", [](const Mechanism& m) { return std::make_shared<Cam>(m.body("follower")); }});
using ConstraintFactory = std::function<std::shared_ptr<const CustomConstraint>(const Mechanism&)>;

}  // namespace polhode
