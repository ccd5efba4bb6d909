#pragma once
#include <vector>

#include "polhode/tree/derivatives.h"

namespace polhode::tree {

/// The twelve numbers of a pose or of a derivative of one, row after row.
inline std::vector<double> pose_numbers(const Mat3<double>& R, const Vec3<double>& p) {
  std::vector<double> all;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) all.push_back(R(row, column));
    all.push_back(p[row]);
  }
  return all;
}
inline std::vector<double> pose_numbers(const PoseDerivative& X) { return pose_numbers(X.R, X.p); }

}  // namespace polhode::tree
