#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "polhode/mechanism/constraints/row_level.h"
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

/// How the mechanism moves there, for the acceleration's bias.
struct ConstraintMotion {
  std::span<const double> u, q_dot;
  std::span<const Motion<double>> V_WB;       ///< of the named bodies' origins, in Ground axes
  std::span<const Motion<double>> A_WB_bias;  ///< their accelerations at du/dt = 0
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

/// A user's own constraint. Derive, and hand a factory to MechanismBuilder::add_constraint. With the row's gradient and rate,
///   position level       h(t, q) = 0,  dh/dt = gradient . (V, u) + rate
///   velocity level       v(t, q, u) = gradient . (V, u) + rate = 0; errors() is not asked for such a row's value
///   acceleration level   gradient . (dV/dt, du/dt) + rate = 0, what is quadratic in speeds left out of dV/dt
/// Immutable, as the mechanism is; errors() and gradient() are called in every step and should not allocate.
class CustomConstraint {
 public:
  virtual ~CustomConstraint() = default;
  virtual int num_rows() const = 0;
  virtual RowLevel level(int /*row*/) const { return RowLevel::position; }
  /// Bodies (by index) whose poses the rows read. They cannot depend on others.
  virtual std::vector<int> bodies() const { return {}; }
  /// Speeds (by index) of the coordinates that the rows read directly.
  virtual std::vector<int> speeds() const { return {}; }

  /// h of rows at position level; what it writes for other rows is not used.
  virtual void errors(const ConstraintConfiguration& at, std::span<double> h) const = 0;
  virtual void gradient(const ConstraintConfiguration& at, int row, ConstraintGradient& out) const = 0;
  /// The partial derivative of each row with respect to time, for rows that depend on it explicitly; at velocity and at
  /// acceleration level what is left of the row when gradient . (...) is taken away.
  virtual void rates(const ConstraintConfiguration&, std::span<double> rate) const {
    for (double& r : rate) r = 0;
  }
  /// b with G du/dt = b: minus what is left of d2h/dt2, of dv/dt or of the row at acceleration level when du/dt = 0.
  /// Give true when you have written it. Otherwise fourth-order central differences of gradient() and rates() along the motion
  /// take its place, right to about 1e-11 where those are smooth.
  virtual bool acceleration_bias(const ConstraintConfiguration&, const ConstraintMotion&, std::span<double> /*b*/) const {
    return false;
  }
};

/// Made when the mechanism is built, so that it can look its bodies and coordinates up by name:
///   builder.add_constraint({"cam", [](const Mechanism& m) { return std::make_shared<Cam>(m.body("follower")); }});
using ConstraintFactory = std::function<std::shared_ptr<const CustomConstraint>(const Mechanism&)>;

}  // namespace polhode
