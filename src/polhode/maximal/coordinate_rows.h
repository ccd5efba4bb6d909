#pragma once
#include <vector>

#include "polhode/maximal/row_places.h"
#include "polhode/state/driven_paths.h"

namespace polhode::maximal {

/// A tree joint whose coordinates or speeds rows read.
struct JointSite {
  JointCoordinates joint;
  Place F, M;  ///< on the parent and on the child

  /// What rows need of the joint at one place: coordinates, and the duals of speeds turned into Ground's axes.
  struct Reading {
    JointPoses X;
    double q[JointCoordinates::most_coordinates];
    Wrench<double> W[JointCoordinates::most_speeds];  ///< at M's origin, in Ground axes
  };
  Reading read(Poses X_WC, std::span<const double> near) const;
  void speeds(const Reading& at, Poses X_WC, Velocities V_WC, double* u) const;
  /// The speeds again, and their derivatives while d(w, v)/dt = 0 of both bodies.
  void speeds_and_bias(const Reading& at, Poses X_WC, Velocities V_WC, double* u, double* u_dot) const;
  /// Adds the derivatives of `factor` times speed k to the row of the parent's and of the child's block.
  void add_derivatives(const Reading& at, Poses X_WC, int k, double factor, int row, double* values) const;
};

/// One equation that is linear in coordinates or in speeds.
struct CoordinateRow {
  struct Term {
    JointSite site;
    int q, u;  ///< of the joint's own; q is -1 where no coordinate is read
    double coefficient;
  };
  int row;
  bool holds_position;
  Signal signal;
  std::vector<Term> terms;
  int driven = -1;  ///< follows the path of this speed of the mechanism instead of the signal

  /// paths: of all that is driven.
  void evaluate(double t, const DrivenPaths& paths, Poses X_WC, std::span<const double> near, double* h, double* values) const;
  double rate(double t, const DrivenPaths& paths) const;  ///< h_t or v_t
  /// What the sum of the terms must be, a coordinate or a speed, with its rates.
  Signal::Sample target(double t, const DrivenPaths& paths) const;
  void bias(double t, const DrivenPaths& paths, Poses X_WC, Velocities V_WC, std::span<const double> near, double* b) const;
};

}  // namespace polhode::maximal
