#pragma once
#include "polhode/spatial/spatial_vector.h"

namespace polhode::tree {

/// Motion of a point r away from the origin of a body that moves with V and accelerates with A.
inline Motion<double> accelerated(const Motion<double>& A, const Motion<double>& V, const Vec3<double>& r) {
  Motion<double> shifted_A = shifted(A, r);
  shifted_A.linear += cross(V.angular, cross(V.angular, r));
  return shifted_A;
}

}  // namespace polhode::tree
