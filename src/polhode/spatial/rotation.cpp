#include "polhode/spatial/rotation.h"

#include <algorithm>
#include <initializer_list>
#include <stdexcept>

namespace polhode {

Mat3<double> rotation_from_angles(const char* axes, std::initializer_list<double> angles) {
  Mat3<double> R = Mat3<double>::identity();
  for (const double angle : angles) {
    switch (*axes++) {
      case 'x': R = R * rotation_x(angle); break;
      case 'y': R = R * rotation_y(angle); break;
      case 'z': R = R * rotation_z(angle); break;
      default: throw std::invalid_argument("rotation_from_angles: one of x, y, z is needed for each angle");
    }
  }
  if (*axes) throw std::invalid_argument("rotation_from_angles: more axes than angles");
  return R;
}

Vec3<double> body_xyz_angles(const Mat3<double>& R) {
  // R = Rx Ry Rz has the first row (cy cz, -cy sz, sy) and the last column (sy, -sx cy, cx cy).
  const double cy = std::hypot(R(0, 0), R(0, 1));
  const double y = std::atan2(R(0, 2), cy);
  if (cy < 1e-15) return {std::atan2(R(2, 1), R(1, 1)), y, 0.0};
  // Near 90 degrees x is known only to rounding/cy. Taking z from Rx^T R, whose second row is (sz, cz, 0), makes it undo
  // the error of x, so that the three angles together still give R.
  const double x = std::atan2(-R(1, 2), R(2, 2));
  const auto [sx, cx] = sin_cos(x);
  return {x, y, std::atan2(cx * R(1, 0) + sx * R(2, 0), cx * R(1, 1) + sx * R(2, 1))};
}

Mat3<double> rotation_with_z(const Vec3<double>& z) {
  const Vec3<double> x = any_perpendicular(z);
  return {{x, cross(z, x), z}};
}

Mat3<double> rotation_with_xy(const Vec3<double>& x, const Vec3<double>& y_hint) {
  const Vec3<double> z = normalized(cross(x, y_hint));
  return {{x, cross(z, x), z}};
}

Mat3<double> nearest_rotation(const Mat3<double>& A) {
  Mat3<double> R = A;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const auto& [a, b, c] = R.col;
    const double k = 1.0 / determinant(R);
    const Mat3<double> inverse_transpose{{k * cross(b, c), k * cross(c, a), k * cross(a, b)}};
    R = 0.5 * (R + inverse_transpose);
    if (orthogonality_error(R) < 4e-16) break;
  }
  return R;
}

double orthogonality_error(const Mat3<double>& R) {
  const Mat3<double> E = transpose(R) * R - Mat3<double>::identity();
  double worst = 0;
  for (const auto& column : E.col) worst = std::max({worst, std::abs(column.x), std::abs(column.y), std::abs(column.z)});
  return worst;
}

}  // namespace polhode
