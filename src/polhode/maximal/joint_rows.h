#pragma once
#include "polhode/maximal/row_places.h"

namespace polhode::maximal {

/// The rows of a joint, of the tree or closing a loop, between its frames F and M. They are the joint's own frames: those of a
/// reversed joint are exchanged, F being on the child.
struct JointRows {
  /// How the rows are evaluated: by code for joints of their kind (joint_kernel.h), or by what the type says of itself.
  enum class Kind : char { general, weld, revolute, prismatic, cylindrical, universal, planar, ball, translation };

  const JointModel* model;
  int first_row, num_rows;
  Place F, M;
  Kind kind;

  static Kind kind_of(const JointModel& model);
  /// Writes the values h of the rows, and their blocks unless `values` is null.
  void evaluate(Poses X_WC, double* h, double* values) const;
  void evaluate_in_general(Poses X_WC, double* h, double* values) const;
  /// Writes b with G d(w, v)/dt = b.
  void bias(Poses X_WC, Velocities V_WC, double* b) const;
  void bias_in_general(Poses X_WC, Velocities V_WC, double* b) const;
  /// See Constraints::turn_frames.
  void turn_frames(std::span<const Vec3<double>> normals);
};

/// V_FM and A_FM of a joint, in F's axes, while d(w, v)/dt = 0 of both bodies:
///   w_FM = w_M - w_F,            dw_FM/dt = -w_F x w_FM
///   v_FM = v_M - v_F - w_F x p,  dv_FM/dt = l_M - l_F - w_F x (w_F x p) - 2 w_F x v_FM
/// (l: accelerations of the frames' origins in Ground; derivatives of V_FM as F sees them, turned into F's axes).
struct JointMotion {
  Motion<double> V_FM, A_FM;
};
JointMotion joint_motion(const Place& F, const Place& M, const Transform<double>& X_WF, const Transform<double>& X_WM,
                         Poses X_WC, Velocities V_WC);

}  // namespace polhode::maximal
