#pragma once
#include "polhode/spatial/vec3.h"

namespace polhode {

/// A direction: a vector of length one (Simbody theory manual 3.1). It can be made in ways that keep its length one only, so
/// whoever is given one need not check it, nor divide by its length. It stands wherever a vector may.
class UnitVec3 {
 public:
  /// Along z.
  UnitVec3() = default;
  /// Along a vector of any length. Throws std::invalid_argument when it has no direction.
  explicit UnitVec3(const Vec3<double>& along);
  /// Along (x, y, z).
  UnitVec3(double x, double y, double z) : UnitVec3(Vec3<double>{x, y, z}) {}

  operator const Vec3<double>&() const { return v_; }  ///< as a vector
  const Vec3<double>& vector() const { return v_; }    ///< as a vector
  double operator[](int i) const { return v_[i]; }     ///< a component

  /// The opposite direction.
  UnitVec3 operator-() const { return UnitVec3(-v_, Trusted{}); }
  /// Some direction perpendicular to it.
  UnitVec3 perpendicular() const { return UnitVec3(any_perpendicular(v_), Trusted{}); }

  friend bool operator==(const UnitVec3&, const UnitVec3&) = default;

 private:
  friend class Rotation;
  struct Trusted {};
  UnitVec3(const Vec3<double>& v, Trusted) : v_(v) {}

  Vec3<double> v_{0, 0, 1};
};

}  // namespace polhode
