#pragma once
#include <span>
#include <vector>

#include "polhode/state/state.h"

namespace polhode {

/// Speeds that a State does not leave to forces, and the coordinates they move, as functions of time from where they were
/// (Simbody theory manual 8.3, table in 10.3): by the model's signals at their level, or by a lock, which comes first.
///   position       q is the signal's value
///   velocity       u is the signal's value,       q = q_a + int u dt
///   acceleration   du/dt is the signal's value,   u = u_a + int du/dt dt,   q = q_a + int u dt
///   locks          q = q_a and u = 0, or u = u_a and q = q_a + (t - t_a) u_a
/// So methods that solve for positions can treat all of them as they treat coordinates that follow a signal. They go on from
/// an anchor (t_a, q_a, u_a), which moves on with the steps, so that integrals stay short. Fast coordinates are not known here.
///
/// After construction nothing allocates or throws (a user's signal aside).
class DrivenPaths {
 public:
  explicit DrivenPaths(const Mechanism& mechanism);
  /// From the state on: its locks, the signals it follows, and the place it has.
  void set(const State& state);

  bool any() const { return !speeds_.empty(); }
  /// All that is driven or locked is at rest for ever, so that it does no work.
  bool at_rest() const { return at_rest_; }
  std::span<const int> speeds() const { return speeds_; }              ///< the driven ones, in order
  std::span<const char> driven() const { return driven_; }             ///< by speed, not 0 where it is
  std::span<const char> locked() const { return locked_; }             ///< by speed, not 0 where a lock drives it
  int coordinate(int u) const { return coordinate_[std::size_t(u)]; }  ///< whose rate it is, or -1

  /// Of a driven speed: the coordinate whose rate it is, the speed, and its rate. Of a speed that is no coordinate's rate the
  /// first is its integral since the anchor.
  Signal::Sample at(int u, double t) const;
  /// The integral of a driven speed from t to t + h. Of a coordinate that follows a signal: what is missing at q.
  double increment(int u, double t, double h, std::span<const double> q) const {
    const int k = coordinate(u);
    return at(u, t + h).value - (k >= 0 ? q[std::size_t(k)] : at(u, t).value);
  }
  /// Writes what is known and leaves the rest: speeds, and coordinates that have one.
  void put_speeds(double t, std::span<double> u) const;
  void put_coordinates(double t, std::span<double> q) const;
  /// The quaternion of a joint that is locked, or whose orientation follows a signal: q[0] to q[3].
  void put_quaternion_of(int joint, double t, double* q) const;
  /// Joints whose orientation follows a signal now.
  std::span<const DrivenOrientation* const> orientations() const { return orientations_; }

  /// The anchor moves to t.
  void advance(double t);
  void remember(Memory& memory) { memory(t_, q_, speed_); }

 private:
  struct Path {
    Drive level = Drive::forces;
    const Signal* signal = nullptr;  // none where a lock holds it
  };
  Mechanism mechanism_;
  std::vector<int> coordinate_;  // by speed
  std::vector<const DrivenOrientation*> orientations_;
  std::vector<const Signal*> signals_;  // by speed: the model's
  std::vector<int> turning_joints_;     // those with a quaternion
  std::vector<Path> paths_;             // by speed
  std::vector<char> driven_, locked_;   // by speed
  std::vector<int> speeds_;             // driven ones
  double t_ = 0;                        // the anchor
  std::vector<double> q_, speed_;       // by coordinate and by speed, of driven ones only
  bool at_rest_ = true;
};

/// Whether the joint's orientation follows a signal of the model.
bool follows_orientation(const Mechanism& mechanism, int joint);

/// By joint, not 0 where the model or one of its events locks it.
std::vector<char> lockable_joints(const Mechanism& mechanism);

/// How the first four coordinates of a joint, where they are a quaternion, turn with its first speeds: dR/dt = skew(u) R or
/// R skew(u).
enum class Turning : char { none, in_F, in_M };
Turning turning_of(const JointModel& model);
/// q = q0 turned by theta (of the joint's first speeds times a time), and theta that leads from q0 to q.
void turn_quaternion(const JointModel& model, const double* q0, const Vec3<double>& theta, double* q);
Vec3<double> turn_between(const JointModel& model, const double* q0, const double* q);

}  // namespace polhode
