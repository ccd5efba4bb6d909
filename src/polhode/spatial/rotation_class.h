#pragma once
#include <utility>

#include "polhode/spatial/rotation.h"
#include "polhode/spatial/unit_vec3.h"

namespace polhode {

/// R_AB, the orientation of frame B in frame A, as a matrix whose columns are B's axes in A (Simbody theory manual 3.2). It can
/// be made in ways only that keep it a rotation: columns perpendicular, of length one, right-handed. Products are brought back
/// by what rounding has bent them, so that this holds after millions of them. It stands wherever a matrix may.
class Rotation {
 public:
  /// None.
  Rotation() = default;
  /// By an angle [rad] about an axis.
  Rotation(const UnitVec3& axis, double angle);
  /// The one that a quaternion of any length stands for. Throws std::invalid_argument for one of zeros.
  explicit Rotation(const Quaternion<double>& quaternion);
  /// Turns about the listed axes (three characters of "xyz"), each moving with the frame; for fixed axes list them backwards.
  Rotation(const char* axes, const Vec3<double>& angles);
  /// The one nearest to a matrix that is a rotation up to few digits (1e-2). Throws std::invalid_argument for any other.
  static Rotation nearest_to(const Mat3<double>& matrix);
  /// One that takes z to a direction.
  static Rotation with_z(const UnitVec3& z);

  operator const Mat3<double>&() const { return R_; }  ///< as a matrix
  const Mat3<double>& matrix() const { return R_; }    ///< as a matrix
  UnitVec3 axis(int i) const;                          ///< B's x, y or z axis in A
  Rotation inverse() const;                            ///< R_BA
  Quaternion<double> quaternion() const;               ///< of length one, its scalar not negative
  std::pair<UnitVec3, double> axis_and_angle() const;  ///< angle from 0 to pi; about z where there is none

  /// R_AB R_BC = R_AC.
  friend Rotation operator*(const Rotation& R_AB, const Rotation& R_BC);
  /// A vector of B in A.
  friend Vec3<double> operator*(const Rotation& R_AB, const Vec3<double>& v_B) { return R_AB.R_ * v_B; }
  /// A direction of B in A.
  friend UnitVec3 operator*(const Rotation& R_AB, const UnitVec3& d_B);
  friend bool operator==(const Rotation&, const Rotation&) = default;

 private:
  struct Trusted {};
  Rotation(const Mat3<double>& R, Trusted) : R_(R) {}

  Mat3<double> R_ = Mat3<double>::identity();
};

}  // namespace polhode
