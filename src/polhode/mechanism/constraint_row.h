#pragma once
#include "polhode/spatial/spatial_vector.h"

namespace polhode {

/// One scalar equation g(X_FM) = 0 between the two frames of a joint, with what dynamics needs of it:
///   dg/dt   = gradient . V_FM
///   d2g/dt2 = gradient . A_FM + bias
/// V_FM is the velocity of M measured and expressed in F, its linear part that of M's origin; A_FM its derivative in F.
template <class T>
struct ConstraintRow {
  T value{};
  Wrench<T> gradient{};
  T bias{};
};

// The rows that joints are made of. Axes with the suffix _F are fixed in F, those with _M in M; both are unit vectors.

/// a_F . b_M - cosine = 0: two axes keep their angle (Tuomela, Arponen & Normi (5.7): "symmetric orthogonality" when the cosine
/// is 0).
template <class T>
POLHODE_INLINE ConstraintRow<T> axes_keep_angle(const Transform<T>& X_FM, const Motion<T>& V_FM, const Vec3<double>& a_F,
                                                const Vec3<double>& b_M, double cosine = 0) {
  const Vec3<T> a = cast<T>(a_F), b = X_FM.R * cast<T>(b_M), &w = V_FM.angular;
  return {dot(a, b) - T(cosine), {cross(b, a), {}}, dot(a, cross(w, cross(w, b)))};
}

/// a_F . p_FM = 0: M's origin stays in a plane that is fixed in F.
template <class T>
POLHODE_INLINE ConstraintRow<T> origin_in_plane_of_F(const Transform<T>& X_FM, const Motion<T>&, const Vec3<double>& a_F) {
  const Vec3<T> a = cast<T>(a_F);
  return {dot(a, X_FM.p), {{}, a}, T(0)};
}

/// b_M . p_FM = 0: F's origin stays in a plane that is fixed in M (Tuomela, Arponen & Normi (5.8): "nonsymmetric
/// orthogonality").
template <class T>
POLHODE_INLINE ConstraintRow<T> origin_in_plane_of_M(const Transform<T>& X_FM, const Motion<T>& V_FM, const Vec3<double>& b_M) {
  const Vec3<T> b = X_FM.R * cast<T>(b_M), &w = V_FM.angular, &v = V_FM.linear, &p = X_FM.p;
  const Vec3<T> b_dot = cross(w, b);
  return {dot(b, p), {cross(b, p), b}, T(2) * dot(v, b_dot) + dot(p, cross(w, b_dot))};
}

/// b_M . w_FM = 0: no spin about an axis of M. It holds velocities only; the value is zero by definition.
template <class T>
POLHODE_INLINE ConstraintRow<T> no_spin_about_M(const Transform<T>& X_FM, const Motion<T>&, const Vec3<double>& b_M) {
  // d(b)/dt . w = (w x b) . w = 0, hence no bias.
  return {T(0), {X_FM.R * cast<T>(b_M), {}}, T(0)};
}

inline constexpr Vec3<double> x_axis{1, 0, 0}, y_axis{0, 1, 0}, z_axis{0, 0, 1};

}  // namespace polhode
