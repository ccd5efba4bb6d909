#pragma once
#include <cstddef>

#include "polhode/variational/tree/discrete_tree.h"

namespace polhode::variational {

/// How a general joint moves at the midpoint of a step, in the axes of its frame F, at M's origin: what the sweeps read, and
/// the two covectors that they give back.
///
/// A change of the increment theta by e_i moves the midpoint's pose by alpha pose[i] and its velocity by velocity[i]/h;
/// testing the equation with e_i means the pose variation h (1 - alpha) pose_test[i] and the velocity variation
/// -velocity_test[i].
struct GeneralMotion {
  static constexpr int most = 6;  ///< degrees of freedom
  Transform<double> X_FM;
  Motion<double> V_FM;
  Motion<double> velocity[most], pose[most], velocity_test[most], pose_test[most];
  double extra[most][most];  ///< [test][trial]: curvature of the joint's own motion, added to the second variation
  Wrench<double> momentum;   ///< out: dL/dV of everything outboard
  Wrench<double> force;      ///< out: dL/d(pose), by rigid motion of everything outboard
};

/// A tree and a step through it, as the sweeps read them. Arrays are by speed.
struct StepData {
  const Link* links;
  int num_links, num_u;
  double gravity;
  double h, alpha;
  const double* q_mid;  ///< coordinate at the midpoint, for pins, sliders and screws; padded to a multiple of 8
  const double* rate;   ///< (increment of the coordinate)/h
  GeneralMotion* general;
  const double* stiffness;  ///< added to the diagonal of the Newton matrix
};

/// The sweeps, compiled for one instruction set.
struct NewtonKernels {
  const char* name;
  std::size_t (*scratch_bytes)(int num_links, int num_u);
  /// dL/dv and dL/dq at the midpoint, by speed; general joints get theirs in GeneralMotion.
  void (*evaluate)(const StepData&, std::byte* scratch, double* momentum, double* force);
  /// Factors the exact Newton matrix K at the midpoint; needs evaluate().
  void (*factor)(const StepData&, std::byte* scratch);
  /// Solves K delta = -residual with the factors; residual and delta are `columns` arrays of num_u, one after another.
  void (*solve)(const StepData&, std::byte* scratch, int columns, const double* residual, double* delta);
};

/// The fastest that this processor can run; the same choice as tree::kernels().
const NewtonKernels& newton_kernels();

}  // namespace polhode::variational
