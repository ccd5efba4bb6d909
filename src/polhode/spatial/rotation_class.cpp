#include "polhode/spatial/rotation_class.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace polhode {
namespace {

/// One step of Newton and Schulz towards the nearest rotation, R (3 - R^T R)/2: an error e becomes 3/4 e^2.
Mat3<double> brought_back(const Mat3<double>& R) {
  const Mat3<double> excess = transpose(R) * R - Mat3<double>::identity();
  return R - 0.5 * (R * excess);
}

}  // namespace

UnitVec3::UnitVec3(const Vec3<double>& along) {
  if (!has_direction(along))
    throw std::invalid_argument(
        fmt::format("the vector ({}, {}, {}) has no direction; give a finite one that is not zero", along.x, along.y, along.z));
  v_ = normalized(along);
}

Rotation::Rotation(const UnitVec3& axis, double angle) {
  if (!std::isfinite(angle))
    throw std::invalid_argument(fmt::format("a turn by {} is no rotation; give a finite angle", angle));
  R_ = brought_back(rotation_about(axis.vector(), angle));
}

Rotation::Rotation(const Quaternion<double>& a) {
  const double largest = std::fmax(std::fmax(std::abs(a.w), std::abs(a.x)), std::fmax(std::abs(a.y), std::abs(a.z)));
  const bool finite = std::isfinite(a.w) && std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
  if (!finite || largest == 0)
    throw std::invalid_argument(
        fmt::format("the quaternion ({}, {}, {}, {}) is no rotation; give finite numbers, not all zero", a.w, a.x, a.y, a.z));
  const double k = 1 / largest;  // keeps squares of very large and very small numbers finite
  R_ = std::isfinite(k) ? rotation(Quaternion<double>{k * a.w, k * a.x, k * a.y, k * a.z})
                        : Rotation(Quaternion<double>{0x1p200 * a.w, 0x1p200 * a.x, 0x1p200 * a.y, 0x1p200 * a.z}).R_;
}

Rotation::Rotation(const char* axes, const Vec3<double>& angles) {
  if (!(std::isfinite(angles.x) && std::isfinite(angles.y) && std::isfinite(angles.z)))
    throw std::invalid_argument("the angles of a rotation must be finite numbers");
  R_ = brought_back(rotation_from_angles(axes, {angles.x, angles.y, angles.z}));
}

Rotation Rotation::nearest_to(const Mat3<double>& matrix) {
  const double error = orthogonality_error(matrix);
  if (!(error < 1e-2) || determinant(matrix) < 0)
    throw std::invalid_argument(error < 1e-2 ? "the matrix mirrors space, so no rotation is near it"
                                             : "the columns of the matrix are not perpendicular unit vectors");
  return {brought_back(nearest_rotation(matrix)), Trusted{}};
}

Rotation Rotation::with_z(const UnitVec3& z) { return {brought_back(rotation_with_z(z.vector())), Trusted{}}; }

UnitVec3 Rotation::axis(int i) const { return {{R_(0, i), R_(1, i), R_(2, i)}, UnitVec3::Trusted{}}; }

Rotation Rotation::inverse() const { return {transpose(R_), Trusted{}}; }

Quaternion<double> Rotation::quaternion() const { return polhode::quaternion(R_); }

std::pair<UnitVec3, double> Rotation::axis_and_angle() const {
  const Quaternion<double> a = quaternion();
  const double sine = norm(a.vector());
  if (sine == 0) return {UnitVec3(), 0.0};
  return {UnitVec3(a.vector()), 2 * std::atan2(sine, a.w)};
}

Rotation operator*(const Rotation& R_AB, const Rotation& R_BC) {
  return {brought_back(R_AB.R_ * R_BC.R_), Rotation::Trusted{}};
}

UnitVec3 operator*(const Rotation& R_AB, const UnitVec3& d_B) { return UnitVec3(R_AB.R_ * d_B.vector()); }

}  // namespace polhode
