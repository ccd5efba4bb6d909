#pragma once
#include <cstddef>
#include <span>

#include "polhode/spatial/spatial_vector.h"
#include "polhode/tree/body_range.h"

namespace polhode::tree {

struct TreeModel;

/// Sums over all bodies.
struct TreeTotals {
  double kinetic;             ///< [J]
  Wrench<double> momentum;    ///< angular about Ground's origin [kg m^2/s], linear [kg m/s]
  double mass;                ///< [kg]
  Vec3<double> first_moment;  ///< mass times centre of mass [kg m]
};

struct BodyReading {
  Transform<double> X_WM;
  Motion<double> V_WM, A_WM;
};

/// The tree algorithms for one scalar type. Arrays by coordinate, speed or body hold `width` entries side by side, one
/// per mechanism. Bodies' frames are the M frames of their inboard joints; poses, motions and wrenches are in Ground axes.
/// `scratch` is a block of scratch_bytes(tree) bytes, aligned to 64 and
/// zeroed once before its first use.
struct KernelTable {
  int width;  ///< mechanisms per call
  std::size_t (*scratch_bytes)(const TreeModel&);
  void (*positions)(const TreeModel&, const double* q, std::byte* scratch);
  void (*kinematics)(const TreeModel&, const double* q, const double* u, std::byte* scratch);
  void (*accelerations)(const TreeModel&, const double* u_dot, std::byte* scratch);
  void (*forward_dynamics)(const TreeModel&, const double* q, const double* u, const double* tau, const Wrench<double>* F,
                           std::byte* scratch, double* u_dot);
  void (*forward_dynamics_moved)(const TreeModel&, const double* tau, const Wrench<double>* F, std::byte* scratch,
                                 double* u_dot);
  void (*forward_dynamics_driven)(const TreeModel&, const double* tau, const Wrench<double>* F, const char* driven,
                                  std::byte* scratch, double* u_dot, double* motion_forces);
  void (*inverse_dynamics)(const TreeModel&, const double* q, const double* u, const double* u_dot, const Wrench<double>* F,
                           std::byte* scratch, double* tau);
  void (*mass_matrix)(const TreeModel&, const double* q, std::byte* scratch, double* M);
  void (*multiply_mass)(const TreeModel&, const double* a, std::byte* scratch, double* f);
  void (*factor_mass)(const TreeModel&, std::byte* scratch);
  void (*factor_mass_driven)(const TreeModel&, const char* driven, std::byte* scratch);
  void (*hinge_inertias)(const TreeModel&, std::byte* scratch, const char* prescribed, double* held, double* free);
  void (*solve_mass)(const TreeModel&, const double* f, std::byte* scratch, double* a);
  /// Eight right-hand sides at once, f[8 k + i] being that of speed k in the i-th, for bodies of the ranges only: trees rooted
  /// in Ground, in order, beside which no force acts. Null in the kernels for packs.
  void (*solve_mass_eight)(const TreeModel&, std::span<const BodyRange> ranges, const double* f, std::byte* scratch, double* a);
  void (*multiply_jacobian)(const TreeModel&, const double* u, std::byte* scratch, Motion<double>* V);
  void (*multiply_jacobian_transpose)(const TreeModel&, const Wrench<double>* F, std::byte* scratch, double* tau);
  void (*totals)(const TreeModel&, std::byte* scratch, TreeTotals* totals);
  void (*read_body)(const TreeModel&, std::byte* scratch, int body, int lane, BodyReading* reading);
  /// Poses of the listed bodies and hinge columns (linear parts at the driven body's origin) of the listed speeds, into arrays
  /// by body and by speed.
  void (*read_poses)(const TreeModel&, std::byte* scratch, std::span<const int> bodies, Transform<double>* X_WM);
  void (*read_columns)(const TreeModel&, std::byte* scratch, std::span<const int> speeds, Motion<double>* H);
  /// Velocities of the listed bodies, and their accelerations at du/dt = 0 beyond the parent's shifted one, into arrays by
  /// body; needs kinematics().
  void (*read_motions)(const TreeModel&, std::byte* scratch, std::span<const int> bodies, Motion<double>* V_WM,
                       Motion<double>* bias);
};

/// One instruction set's kernels: for a single mechanism and for a pack of them.
struct Kernels {
  const char* name;
  KernelTable one, pack;
};

/// The fastest kernels this processor can run. The environment variable POLHODE_ISA (portable, avx2, avx512) overrides it.
const Kernels& kernels();

}  // namespace polhode::tree
