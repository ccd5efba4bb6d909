#pragma once
#include "polhode/maximal/row_places.h"

namespace polhode::maximal {

/// The rows of a declared constraint between two frames; some read a third one, the case, that bears no load.
struct FrameRows {
  static constexpr int most_rows = 6;
  const Constraint* constraint;
  int first_row, num_rows;
  int num_places;
  Place places[3];

  void evaluate(Poses X_WC, double* h, double* values) const;
  void bias(Poses X_WC, Velocities V_WC, double* b) const;
  /// See Constraints::turn_frames.
  void turn_frames(std::span<const Vec3<double>> normals);
};

}  // namespace polhode::maximal
