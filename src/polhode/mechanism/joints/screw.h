#pragma once
#include "polhode/mechanism/joint_type.h"

namespace polhode {

/// Screw: M turns about the z axis that it shares with F and advances along it by the lead.
/// q: angle [rad], any number of turns, u: its rate [rad/s].
struct Screw : RatesAreSpeeds<1> {
  static constexpr std::string_view type = "screw";
  static constexpr std::string_view coordinate_suffix(int) { return ""; }
  static constexpr std::string_view speed_suffix(int) { return "'"; }

  double lead = 0;  ///< advance per angle [m/rad]; 0 makes the screw a pin

  Screw() = default;
  explicit Screw(double lead_in) : lead(lead_in) {}

  template <class T>
  POLHODE_INLINE Transform<T> X_FM(const T* q) const {
    return {rotation_z(q[0]), {T(0), T(0), T(lead) * q[0]}};
  }
  template <class T>
  POLHODE_INLINE void H_FM(const T*, Motion<T>* H) const {
    H[0] = {cast<T>(z_axis), {T(0), T(0), T(lead)}};
  }
  template <class T>
  POLHODE_INLINE Motion<T> Hdot_u(const T*, const T*) const {
    return {};
  }
  /// R tells the angle within a turn, the advance tells which turn.
  void read_pose(const Transform<double>& X_FM, double* q) const {
    const double angle = std::atan2(X_FM.R(1, 0) - X_FM.R(0, 1), X_FM.R(0, 0) + X_FM.R(1, 1));
    const double turns = lead == 0 ? 0 : std::round((X_FM.p.z / lead - angle) / (2 * pi));
    q[0] = angle + 2 * pi * turns;
  }

  template <class T>
  POLHODE_INLINE void constraint_rows(const Transform<T>& X_FM, const Motion<T>& V_FM, ConstraintRow<T>* rows) const {
    rows[0] = origin_in_plane_of_F(X_FM, V_FM, x_axis);
    rows[1] = origin_in_plane_of_F(X_FM, V_FM, y_axis);
    rows[2] = axes_keep_angle(X_FM, V_FM, x_axis, z_axis);
    rows[3] = axes_keep_angle(X_FM, V_FM, y_axis, z_axis);
    rows[4] = lead == 0 ? origin_in_plane_of_F(X_FM, V_FM, z_axis) : advance_row(X_FM, V_FM);
  }

  /// lead sin(theta - phi) = 0 with phi = p_z/lead, the angle that belongs to the advance: near the joint's motion this is
  /// lead theta - p_z, yet it passes smoothly through full turns because theta enters by M's x axis only:
  /// g = lead a.x_M with a = (-sin phi, cos phi, 0), da/dt = -b dphi/dt, db/dt = a dphi/dt.
  /// A Newton iteration must start less than a quarter turn away, as the row is zero every half turn.
  template <class T>
  POLHODE_INLINE ConstraintRow<T> advance_row(const Transform<T>& X_FM, const Motion<T>& V_FM) const {
    const T k(lead), phi_dot = V_FM.linear.z / k;
    const auto [s, c] = sin_cos(T(X_FM.p.z / k));
    const Vec3<T> a{-s, c, T(0)}, b{c, s, T(0)}, &x = X_FM.R.col[0], &w = V_FM.angular;
    const Vec3<T> x_dot = cross(w, x);
    return {k * dot(a, x),
            {k * cross(x, a), {T(0), T(0), -dot(b, x)}},
            k * (dot(a, cross(w, x_dot)) - T(2) * phi_dot * dot(b, x_dot) - phi_dot * phi_dot * dot(a, x))};
  }
  friend bool operator==(const Screw& a, const Screw& b) { return a.lead == b.lead; }
};
static_assert(JointType<Screw>);

}  // namespace polhode
