#pragma once
#include <algorithm>

#include "polhode/maximal/body_motion.h"

/// Vectors of six about one body (maximal/body_motion.h) where they lie in memory.
namespace polhode::variational {

inline Vec3<double> angular(const double* six) { return {six[0], six[1], six[2]}; }
inline Vec3<double> linear_part(const double* six) { return {six[3], six[4], six[5]}; }
inline void put(double* six, const Vec3<double>& angular, const Vec3<double>& linear) {
  for (int i = 0; i < 3; ++i) {
    six[i] = angular[i];
    six[3 + i] = linear[i];
  }
}

/// A body's block on the diagonal: 6 columns of 8.
inline void put_diagonal(double* block, const Mat3<double>& rotation, double mass) {
  std::fill_n(block, 6 * maximal::row_width, 0.0);
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) block[maximal::row_width * c + r] = rotation(r, c);
  for (int i = 3; i < 6; ++i) block[maximal::row_width * i + i] = mass;
}

}  // namespace polhode::variational
