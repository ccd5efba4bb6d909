#pragma once
#include "polhode/spatial/spatial_vector.h"

/// The upper three rows of the 4x4 matrices that poses and their derivatives are multiplied as; the last row is zero.
namespace polhode::tree {

struct PoseHat {
  Mat3<double> R;
  Vec3<double> p;
};

inline PoseHat hat(const Motion<double>& x) { return {skew(x.angular), x.linear}; }
inline PoseHat operator*(const PoseHat& a, const PoseHat& b) { return {a.R * b.R, a.R * b.p}; }
inline PoseHat operator+(const PoseHat& a, const PoseHat& b) { return {a.R + b.R, a.p + b.p}; }

/// With X_a = X hat(a), and a_b the derivative of the twist a along b: what a pose's third derivative X^-1 X_abc has besides
/// the second derivative a_bc of the twist a.
inline PoseHat third_product(const PoseHat& a, const PoseHat& b, const PoseHat& c, const PoseHat& a_b, const PoseHat& a_c,
                             const PoseHat& b_c) {
  return c * (b * a + a_b) + b_c * a + b * a_c;
}

}  // namespace polhode::tree
