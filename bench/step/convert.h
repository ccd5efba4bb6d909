#pragma once
/// Between Polhode's vectors and those of the problems.

#include "polhode/spatial/transform.h"
#include "triple.h"

namespace polhode::bench {

inline Vec3<double> vec3(const Triple& a) { return {a[0], a[1], a[2]}; }
inline Triple triple(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

inline Rotation rows_of(const Mat3<double>& R) {
  return {R(0, 0), R(0, 1), R(0, 2), R(1, 0), R(1, 1), R(1, 2), R(2, 0), R(2, 1), R(2, 2)};
}

inline Mat3<double> mat3(const Rotation& R) { return {{{{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}}}}; }

}  // namespace polhode::bench
