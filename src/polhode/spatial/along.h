#pragma once
#include "polhode/spatial/dual.h"
#include "polhode/spatial/spatial_vector.h"
#include "polhode/spatial/transform.h"

/// Values with how they change, as dual numbers: along(x, dx/dt) = x + eps dx/dt.
namespace polhode {

inline Vec3<Dual<double>> along(const Vec3<double>& value, const Vec3<double>& slope) {
  return {{value.x, slope.x}, {value.y, slope.y}, {value.z, slope.z}};
}
/// The frame as it moves: X + eps dX/dt.
inline Transform<Dual<double>> along(const Transform<double>& X, const Motion<double>& V) {
  const auto column = [&](int i) { return along(X.R.col[i], cross(V.angular, X.R.col[i])); };
  return {{{column(0), column(1), column(2)}}, along(X.p, V.linear)};
}
inline Motion<Dual<double>> along(const Motion<double>& V, const Motion<double>& A) {
  return {along(V.angular, A.angular), along(V.linear, A.linear)};
}

}  // namespace polhode
