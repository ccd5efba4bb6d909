#pragma once
#include <array>
#include <cmath>
#include <span>

#include "polhode/maximal/body_motion.h"
#include "polhode/mechanism/mechanism.h"

namespace polhode::maximal {

/// The poses X_WC of the bodies' own frames C, by body.
using Poses = std::span<const Transform<double>>;

/// A frame X_BF of a body, in the body's own frame C: the same axes, origin in the centre of mass.
inline Transform<double> in_own_frame(const Body& body, const Transform<double>& X_BF) {
  return {X_BF.R, X_BF.p - body.mass.com};
}
inline Transform<double> pose_of(const BodyMotion& motion) { return {rotation(motion.r), motion.x}; }
/// Velocity of C in Ground axes.
inline Motion<double> velocity_of(const BodyMotion& motion, const Mat3<double>& R_WC) { return {R_WC * motion.w, motion.v}; }

/// Where the two frames of a joint are.
struct JointPoses {
  Transform<double> X_WF, X_WM, X_FM;
};

/// The coordinates and speeds of a tree joint as functions of where its two bodies are, each by itself.
class JointCoordinates {
 public:
  static constexpr int most_coordinates = CustomJoint::max_coordinates, most_speeds = CustomJoint::max_speeds;

  JointCoordinates(const Mechanism& mechanism, int body);

  const Joint& joint() const { return *joint_; }
  int body() const { return body_; }
  int parent() const { return parent_; }
  const Transform<double>& X_CF() const { return X_CF_; }  ///< F in the parent's own frame
  const Transform<double>& X_CM() const { return X_CM_; }  ///< M in the child's

  JointPoses poses(Poses X_WC) const {
    const Transform<double> X_WF = X_WC[parent_] * X_CF_, X_WM = X_WC[body_] * X_CM_;
    return {X_WF, X_WM, inverse(X_WF) * X_WM};
  }
  /// Coordinates of the pose; angles are those next to `near`, quaternions have its sign. q may be near. Those of gimbals and
  /// bushings are followed from `near` on the shortest way.
  void read(const Transform<double>& X_FM, const double* near, double* q) const;
  /// Wrenches with u_k = W[k] . V_FM for every motion V_FM that the joint allows, in F's axes at M's origin: the derivatives of
  /// the speeds, and also what a unit force on coordinate k puts on the child.
  ///
  /// They are dual to the hinge columns, W[k] . H[l] = 1 if k = l, else 0. That leaves a choice, which is made so that on the
  /// joint's motion W[k] is the derivative of what read() gives (for coordinates whose rates are speeds) for all displacements,
  /// those across the motion included: as read() does, angles come from the rotation alone, and distances from the
  /// displacement along what slides.
  void duals(const Transform<double>& X_FM, const double* q, Wrench<double>* W) const;

  /// Whether the coordinates have a singular place (gimbals, bushings), near which they change fast while bodies do not.
  bool has_singular_place() const { return two_ways_; }
  /// Of such a joint: whether q is far from there.
  bool is_regular(const double* q) const { return std::abs(std::cos(q[1])) > 0.3; }

 private:
  const Joint* joint_;
  int body_, parent_;
  Transform<double> X_CF_, X_CM_;
  std::array<bool, most_coordinates> is_angle_{};  ///< a full turn of the coordinate changes nothing
  int num_signed_ = 0;                             ///< so many coordinates, the first ones, may all change sign
  bool two_ways_ = false;                          ///< three angles reach every rotation in two ways
  bool least_squares_ = false;                     ///< read() fits the whole pose
};

}  // namespace polhode::maximal
