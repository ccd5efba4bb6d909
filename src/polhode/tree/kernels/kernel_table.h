#pragma once
#include "polhode/tree/kernels/driven_dynamics.h"
#include "polhode/tree/kernels/kernels.h"
#include "polhode/tree/kernels/mass_matrix.h"
#include "polhode/tree/kernels/solve_eight.h"

namespace polhode::tree {
inline namespace POLHODE_ISA {

template <class T>
POLHODE_INLINE Scratch<T> scratch(const TreeModel& tree, std::byte* block) {
  Scratch<T> s;
  Scratch<T>::carve(tree, block, &s);
  return s;
}

template <class T>
POLHODE_INLINE Transform<double> pose_of_lane(const BodyMotion<T>& B, int lane) {
  return {{{vector_of_lane(B.R.col[0], lane), vector_of_lane(B.R.col[1], lane), vector_of_lane(B.R.col[2], lane)}},
          vector_of_lane(B.p, lane)};
}

/// The algorithms on scalar type T as a table of plain functions.
template <class T>
KernelTable kernel_table(int width) {
  using Tree = const TreeModel&;
  using Block = std::byte*;
  KernelTable t{};
  t.width = width;
  t.scratch_bytes = [](Tree tree) { return Scratch<T>::carve(tree, nullptr, nullptr); };
  t.positions = [](Tree tree, const double* q, Block block) {
    auto s = scratch<T>(tree, block);
    positions<T>(tree, q, s);
  };
  t.kinematics = [](Tree tree, const double* q, const double* u, Block block) {
    auto s = scratch<T>(tree, block);
    kinematics<T>(tree, q, u, s);
  };
  t.accelerations = [](Tree tree, const double* u_dot, Block block) {
    auto s = scratch<T>(tree, block);
    accelerations<T>(tree, u_dot, s);
  };
  t.forward_dynamics = [](Tree tree, const double* q, const double* u, const double* tau, const Wrench<double>* F, Block block,
                          double* u_dot) {
    auto s = scratch<T>(tree, block);
    forward_dynamics<false, T>(tree, q, u, tau, F, s, u_dot);
  };
  t.forward_dynamics_moved = [](Tree tree, const double* tau, const Wrench<double>* F, Block block, double* u_dot) {
    auto s = scratch<T>(tree, block);
    forward_dynamics<true, T>(tree, nullptr, nullptr, tau, F, s, u_dot);
  };
  t.forward_dynamics_driven = [](Tree tree, const double* tau, const Wrench<double>* F, const char* driven, Block block,
                                 double* u_dot, double* motion_forces) {
    auto s = scratch<T>(tree, block);
    forward_dynamics_driven<T>(tree, tau, F, driven, s, u_dot, motion_forces);
  };
  t.inverse_dynamics = [](Tree tree, const double* q, const double* u, const double* u_dot, const Wrench<double>* F,
                          Block block, double* tau) {
    auto s = scratch<T>(tree, block);
    inverse_dynamics<T>(tree, q, u, u_dot, F, s, tau);
  };
  t.mass_matrix = [](Tree tree, const double* q, Block block, double* M) {
    auto s = scratch<T>(tree, block);
    mass_matrix<T>(tree, q, s, M);
  };
  t.multiply_mass = [](Tree tree, const double* a, Block block, double* f) {
    auto s = scratch<T>(tree, block);
    multiply_mass<T>(tree, a, s, f);
  };
  t.factor_mass = [](Tree tree, Block block) {
    auto s = scratch<T>(tree, block);
    factor_mass<T>(tree, s);
  };
  t.factor_mass_driven = [](Tree tree, const char* driven, Block block) {
    auto s = scratch<T>(tree, block);
    factor_mass_driven<T>(tree, driven, s);
  };
  t.hinge_inertias = [](Tree tree, Block block, const char* prescribed, double* held, double* free) {
    auto s = scratch<T>(tree, block);
    hinge_inertias<T>(tree, s, prescribed, held, free);
  };
  t.solve_mass = [](Tree tree, const double* f, Block block, double* a) {
    auto s = scratch<T>(tree, block);
    solve_mass<T>(tree, f, s, a);
  };
  if constexpr (std::is_same_v<T, double>)
    t.solve_mass_eight = [](Tree tree, std::span<const BodyRange> ranges, const double* f, Block block, double* a) {
      auto s = scratch<T>(tree, block);
      solve_mass_eight(tree, ranges, f, s, a);
    };
  t.multiply_jacobian = [](Tree tree, const double* u, Block block, Motion<double>* V) {
    auto s = scratch<T>(tree, block);
    multiply_jacobian<T>(tree, u, s);
    constexpr int W = sizeof(T) / sizeof(double);
    for (int b = 0; b < int(tree.bodies.size()); ++b)
      for (int lane = 0; lane < W; ++lane) V[b * W + lane] = {vector_of_lane(s.F[b].a, lane), vector_of_lane(s.F[b].l, lane)};
  };
  t.multiply_jacobian_transpose = [](Tree tree, const Wrench<double>* F, Block block, double* tau) {
    auto s = scratch<T>(tree, block);
    multiply_jacobian_transpose<T>(tree, F, s, tau);
  };
  t.totals = [](Tree tree, Block block, TreeTotals* out) {
    const auto s = scratch<T>(tree, block);
    Totals<T> sum;
    totals<T>(tree, s, sum);
    constexpr int W = sizeof(T) / sizeof(double);
    for (int lane = 0; lane < W; ++lane)
      out[lane] = {0.5 * lane_of(sum.twice_kinetic, lane),
                   {vector_of_lane(sum.momentum.a, lane), vector_of_lane(sum.momentum.l, lane)},
                   lane_of(sum.mass, lane),
                   vector_of_lane(sum.first_moment, lane)};
  };
  t.read_body = [](Tree tree, Block block, int b, int lane, BodyReading* out) {
    const auto s = scratch<T>(tree, block);
    const BodyMotion<T>& B = s.body[b];
    out->X_WM = pose_of_lane(B, lane);
    out->V_WM = {vector_of_lane(B.w, lane), vector_of_lane(B.v, lane)};
    out->A_WM = {vector_of_lane(B.A.a, lane), vector_of_lane(B.A.l, lane)};
  };
  t.read_poses = [](Tree tree, Block block, std::span<const int> bodies, Transform<double>* X_WM) {
    const auto s = scratch<T>(tree, block);
    constexpr int W = sizeof(T) / sizeof(double);
    for (const int b : bodies)
      for (int lane = 0; lane < W; ++lane) X_WM[b * W + lane] = pose_of_lane(s.body[b], lane);
  };
  t.read_columns = [](Tree tree, Block block, std::span<const int> speeds, Motion<double>* H) {
    const auto s = scratch<T>(tree, block);
    constexpr int W = sizeof(T) / sizeof(double);
    for (const int k : speeds)
      for (int lane = 0; lane < W; ++lane) H[k * W + lane] = {vector_of_lane(s.H[k].a, lane), vector_of_lane(s.H[k].l, lane)};
  };
  t.read_motions = [](Tree tree, Block block, std::span<const int> bodies, Motion<double>* V_WM, Motion<double>* bias) {
    const auto s = scratch<T>(tree, block);
    constexpr int W = sizeof(T) / sizeof(double);
    for (const int b : bodies)
      for (int lane = 0; lane < W; ++lane) {
        const BodyMotion<T>& B = s.body[b];
        V_WM[b * W + lane] = {vector_of_lane(B.w, lane), vector_of_lane(B.v, lane)};
        bias[b * W + lane] = {vector_of_lane(B.bias.a, lane), vector_of_lane(B.bias.l, lane)};
      }
  };
  return t;
}

}  // namespace POLHODE_ISA
}  // namespace polhode::tree
