#pragma once
#include <array>

#include "polhode/maximal/body_motion.h"
#include "polhode/spatial/spatial_vector.h"

namespace polhode::maximal {

/// The rows of joints that are made of two kinds only, as their types in mechanism/joints have them: M's origin stays in planes
/// of F, a_F . p_FM = 0, and then axes of F and M stay perpendicular, a_F . b_M = 0. Axes are 0, 1, 2 for x, y, z.
struct RowPattern {
  struct Angle {
    int a, b;
  };
  int num_planes, num_angles;
  std::array<int, 3> planes{};
  std::array<Angle, 3> angles{};

  constexpr int num_rows() const { return num_planes + num_angles; }
};

/// Where a joint's frames are: F on body A and M on body B, all in the bodies' own frames (centre of mass).
struct JointFrames {
  const Transform<double>&X_WA, &X_AF, &X_WB, &X_BM;
};

namespace kernel {

POLHODE_INLINE void put_row(double* row, const Vec3<double>& moment, const Vec3<double>& force) {
  row[0] = moment.x, row[1] = moment.y, row[2] = moment.z;
  row[3] = force.x, row[4] = force.y, row[5] = force.z;
  row[6] = row[7] = 0;
}

/// The displacement of M's origin from A's centre of mass, in A's axes.
POLHODE_INLINE Vec3<double> place_of_M(const JointFrames& j) {
  return transpose_times(j.X_WA.R, (j.X_WB.p - j.X_WA.p) + j.X_WB.R * j.X_BM.p);
}

/// Values of the rows alone, to the last digit those of joint_rows().
template <RowPattern pattern>
POLHODE_INLINE void joint_values(const JointFrames& j, double* __restrict h) {
  const Vec3<double> p_FM = place_of_M(j) - j.X_AF.p;
  for (int i = 0; i < pattern.num_planes; ++i) h[i] = dot(j.X_AF.R.col[pattern.planes[i]], p_FM);
  for (int i = 0; i < pattern.num_angles; ++i) {
    const auto [a, b] = pattern.angles[i];
    h[pattern.num_planes + i] = dot(transpose_times(j.X_WB.R, j.X_WA.R * j.X_AF.R.col[a]), j.X_BM.R.col[b]);
  }
}

/// Values of the rows, and blocks; a null pointer for a side that is Ground. Everything but the forces is worked out in the
/// axes of the body that it is wanted in, where the joint's frame is constant:
///   plane a:    force on B: a, through M's origin; on A the opposite, through the same point
///   angle a, b: moment on B: b x a; on A the opposite
template <RowPattern pattern>
POLHODE_INLINE void joint_rows(const JointFrames& j, double* __restrict h, double* __restrict on_A, double* __restrict on_B) {
  const Mat3<double> R_AF = j.X_AF.R, R_WF = j.X_WA.R * R_AF;
  const Vec3<double> p_BM = j.X_BM.p, p_AM = place_of_M(j), p_FM = p_AM - j.X_AF.p;
  Vec3<double> a_B[3];  // the axes of F in B's axes
  for (int i = 0; i < 3; ++i) a_B[i] = transpose_times(j.X_WB.R, R_WF.col[i]);

  for (int i = 0; i < pattern.num_planes; ++i) {
    const int a = pattern.planes[i];
    const Vec3<double>& force = R_WF.col[a];
    h[i] = dot(R_AF.col[a], p_FM);
    if (on_A != nullptr) put_row(on_A + i * row_width, cross(R_AF.col[a], p_AM), -force);
    if (on_B != nullptr) put_row(on_B + i * row_width, cross(p_BM, a_B[a]), force);
  }
  for (int i = 0; i < pattern.num_angles; ++i) {
    const auto [a, b] = pattern.angles[i];
    const int row = pattern.num_planes + i;
    const Vec3<double>& b_B = j.X_BM.R.col[b];
    const Vec3<double> b_F{dot(a_B[0], b_B), dot(a_B[1], b_B), dot(a_B[2], b_B)};
    h[row] = b_F[a];
    if (on_A != nullptr) {
      // a x b in F's axes, turned into A's: x gives (0, -b_z, b_y), and so on round.
      const int k = (a + 1) % 3, l = (a + 2) % 3;
      put_row(on_A + row * row_width, b_F[k] * R_AF.col[l] - b_F[l] * R_AF.col[k], {});
    }
    if (on_B != nullptr) put_row(on_B + row * row_width, cross(b_B, a_B[a]), {});
  }
}

/// b = -d2h/dt2 of the rows while d(w, v)/dt = 0 of both bodies. With a turning with A, b with B, and d from A's centre of mass
/// to M's origin, at the arm r on B:
///   plane a:    d2h/dt2 = a . (w_A x (w_A x d) - 2 w_A x dd/dt + d2d/dt2),  dd/dt = v_B + w_B x r - v_A,  d2d/dt2 = w_B x (w_B
///   x r) angle a, b: d2h/dt2 = a . (w_A x (w_A x b) - 2 w_A x (w_B x b) + w_B x (w_B x b))
template <RowPattern pattern>
POLHODE_INLINE void joint_biases(const JointFrames& j, const Motion<double>& V_A, const Motion<double>& V_B,
                                 double* __restrict bias) {
  const Vec3<double> w_A = V_A.angular, w_B = V_B.angular;
  // Whatever vector of B's side: its own second derivative as A sees it.
  const auto seen_from_A = [&](const Vec3<double>& d, const Vec3<double>& d_dot, const Vec3<double>& d_dot_dot) {
    return transpose_times(j.X_WA.R, cross(w_A, cross(w_A, d) - 2.0 * d_dot) + d_dot_dot);
  };
  if constexpr (pattern.num_planes > 0) {
    const Vec3<double> r = j.X_WB.R * j.X_BM.p, v = cross(w_B, r);
    const Vec3<double> c = seen_from_A((j.X_WB.p - j.X_WA.p) + r, (V_B.linear - V_A.linear) + v, cross(w_B, v));
    for (int i = 0; i < pattern.num_planes; ++i) bias[i] = -dot(j.X_AF.R.col[pattern.planes[i]], c);
  }
  for (int i = 0; i < pattern.num_angles; ++i) {
    const auto [a, b] = pattern.angles[i];
    const Vec3<double> b_W = j.X_WB.R * j.X_BM.R.col[b], b_dot = cross(w_B, b_W);
    bias[pattern.num_planes + i] = -dot(j.X_AF.R.col[a], seen_from_A(b_W, b_dot, cross(w_B, b_dot)));
  }
}

}  // namespace kernel

// The joint types that are made of these rows.
inline constexpr RowPattern weld_rows{3, 3, {0, 1, 2}, {{{0, 1}, {1, 2}, {2, 0}}}};
inline constexpr RowPattern revolute_rows{3, 2, {0, 1, 2}, {{{0, 2}, {1, 2}}}};
inline constexpr RowPattern prismatic_rows{2, 3, {0, 1}, {{{0, 1}, {1, 2}, {2, 0}}}};
inline constexpr RowPattern cylindrical_rows{2, 2, {0, 1}, {{{0, 2}, {1, 2}}}};
inline constexpr RowPattern universal_rows{3, 1, {0, 1, 2}, {{{0, 1}}}};
inline constexpr RowPattern planar_rows{1, 2, {2}, {{{0, 2}, {1, 2}}}};
inline constexpr RowPattern ball_rows{3, 0, {0, 1, 2}, {}};
inline constexpr RowPattern translation_rows{0, 3, {}, {{{0, 1}, {1, 2}, {2, 0}}}};

}  // namespace polhode::maximal
