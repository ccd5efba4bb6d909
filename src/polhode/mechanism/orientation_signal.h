#pragma once
#include <memory>
#include <variant>
#include <vector>

#include "polhode/mechanism/signal.h"
#include "polhode/spatial/quaternion.h"

namespace polhode {

/// An orientation as a given function of time: what a ball or free joint follows. Immutable and cheap to copy; its angular
/// velocity and that one's rate are exact where its signals' derivatives are.
class OrientationSignal {
 public:
  struct Sample {
    Quaternion<double> q{};
    Vec3<double> w{}, w_dot{};  ///< angular velocity in the axes that do not turn, and its rate
  };

  // How it was made, for whoever writes it down.
  struct RollPitchYaw {
    std::vector<Signal> angles;  ///< three, about the fixed axes x, then y, then z
  };
  struct AboutAxis {
    Vec3<double> axis;  ///< a unit vector
    Signal angle;
  };
  struct Samples {
    std::vector<double> times;
    std::vector<Quaternion<double>> values;  ///< as given
    std::vector<Signal> parts;               ///< w, x, y, z
  };
  using Form = std::variant<RollPitchYaw, AboutAxis, Samples>;

  // Each of these throws std::invalid_argument when numbers are not finite or do not fit together.
  static OrientationSignal roll_pitch_yaw(Signal roll, Signal pitch, Signal yaw);
  static OrientationSignal about(const Vec3<double>& axis, Signal angle);
  /// Through the orientations, by cubic splines through the parts of their quaternions (each taken with the sign that is next
  /// to the one before), scaled to unit length: twice continuously differentiable. Neighbours may be up to half a turn apart;
  /// a tenth is better. Before the first and after the last time it stands still.
  static OrientationSignal samples(std::vector<double> times, std::vector<Quaternion<double>> values);

  /// Does not allocate.
  Sample at(double t) const;
  void add_breaks(std::vector<double>& times) const;
  const Form& form() const { return *form_; }
  /// Component k of the angular velocity, as what a speed follows at level position: a signal whose rate is the speed.
  Signal speed(int k) const;

 private:
  explicit OrientationSignal(Form form) : form_(std::make_shared<const Form>(std::move(form))) {}
  std::shared_ptr<const Form> form_;
};

}  // namespace polhode
