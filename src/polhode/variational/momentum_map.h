#pragma once
#include <span>
#include <vector>

#include "polhode/linear/rank_revealing.h"
#include "polhode/tree/constraints.h"

namespace polhode::variational {

/// Between speeds and discrete momenta: p = M(q) u, and back with speeds that keep the constraints.
///
/// Discrete momenta need not lie in the constraints' tangent space. The speeds that belong to one are the u with
///   M u = p + G^T nu,   G u = -h_t,   kinematic speeds as their signals say;
/// the multipliers are the least-squares ones where rows are redundant.
class MomentumMap {
 public:
  explicit MomentumMap(const Mechanism& mechanism);

  void momenta(std::span<const double> q, std::span<const double> u, std::span<double> p);
  void speeds(double t, std::span<const double> q, std::span<const double> p, std::span<double> u);

  /// Kinetic and potential energy [J]. The first alone after it.
  double energy(double t, std::span<const double> q, std::span<const double> u);
  double kinetic_energy() const { return kinetic_; }

 private:
  Mechanism mechanism_;
  tree::Constraints constraints_;
  tree::Workspace workspace_;
  double kinetic_ = 0;
  int rows_;  // constraints, then kinematic speeds
  std::vector<double> values_, columns_, schur_, right_;
  linear::RankRevealingSolver solver_;
};

}  // namespace polhode::variational
