#pragma once
#include <string_view>

#include "polhode/mechanism/constraint_row.h"

namespace polhode {

/// A user's own joint type: derive, say how M moves in F, and hand it to a mechanism as Custom. What each function must
/// give is written at JointType; the laws in tests/mechanism/joint_laws_test.cpp check a new type.
/// The defaults suit joints whose speeds are the rates of their coordinates.
class CustomJoint {
 public:
  static constexpr int max_coordinates = 8, max_speeds = 6;

  virtual ~CustomJoint() = default;
  virtual std::string_view type_name() const = 0;
  virtual int nq() const = 0;
  virtual int nv() const = 0;

  virtual Transform<double> X_FM(const double* q) const = 0;
  /// The columns of H must be independent wherever the joint can go.
  virtual void H_FM(const double* q, Motion<double>* H) const = 0;
  virtual Motion<double> Hdot_u(const double* q, const double* u) const = 0;

  virtual int nchart() const { return nv(); }
  virtual int nonholonomic() const { return 0; }
  virtual std::string_view coordinate_suffix(int i) const;
  virtual std::string_view speed_suffix(int i) const;
  virtual void N(const double* q, const double* u, double* q_dot) const;
  virtual void N_inverse(const double* q, const double* q_dot, double* u) const;
  virtual void retract(const double* q0, const double* theta, double* q1) const;
  virtual void rate_of_chart(const double* q, const double* theta, const double* u, double* theta_dot) const;
  virtual void zero(double* q) const;

  /// The default minimises the error E(q) = (log(R R(q)^T), p - p(q)) from zero, and from other places if that leaves
  /// an error. Override it where the coordinates can be read off the pose: it is far slower than that.
  virtual void read_pose(const Transform<double>& X_FM, double* q) const;

  /// The default takes q from read_pose and gives C^T E(q) = 0, where the columns of C are an orthonormal basis of the
  /// complement of H's: value zero on the joint's motion and only there. The gradient is C^T and the bias -C^T (dH/dt) u
  /// with the u nearest to V_FM: both exact for poses and velocities that the joint allows, and wrong by as much as the
  /// pose or the velocity breaks the joint. C may jump to another basis of the same space between far apart poses.
  virtual void constraint_rows(const Transform<double>& X_FM, const Motion<double>& V_FM, ConstraintRow<double>* rows) const;
};

/// ".q0", ".q1", ...; nothing for a joint with a single coordinate, which bears the joint's own name.
std::string_view numbered_coordinate_suffix(int i, int num_coordinates);
std::string_view numbered_speed_suffix(int i, int num_speeds);

/// The functions of a custom joint as functions of plain numbers, for evaluate() in double_only.h.
namespace flat {
void pose(const CustomJoint&, const double* q, double* X_FM);
void hinge(const CustomJoint&, const double* q, double* H);
void hinge_rate_times_speed(const CustomJoint&, const double* q_u, double* A_FM);
void coordinate_rates(const CustomJoint&, const double* q_u, double* q_dot);
void speeds(const CustomJoint&, const double* q_q_dot, double* u);
void constraint_rows(const CustomJoint&, const double* X_V, double* rows);
}  // namespace flat

}  // namespace polhode
