#pragma once
#include <span>
#include <vector>

#include "polhode/linear/rank_revealing.h"
#include "polhode/state/driven_paths.h"
#include "polhode/tree/constraints.h"
#include "polhode/variational/tree/general_step.h"
#include "polhode/variational/tree/sweep_memory.h"

namespace polhode::variational {

/// Between speeds and discrete momenta: p = M(q) u, and back with speeds that keep the constraints.
///
/// Discrete momenta need not lie in the constraints' tangent space. The speeds that belong to one are the u with
///   M u = p + G^T nu,   G u = -h_t,   driven speeds as their signals and locks say (and no equation for them);
/// the multipliers are the least-squares ones where rows are redundant.
///
/// M restricted to the speeds that are free is minus the Newton matrix of a step of one second at rest, without gravity and
/// with alpha = 0: the same sweeps factor it, and driven parts of the mechanism need no mass.
class MomentumMap {
 public:
  /// With all constraints.
  explicit MomentumMap(const Mechanism& mechanism);
  /// Which of the constraints hold, as State::enabled(). Allocates nothing.
  void set_enabled(std::span<const char> enabled);

  void momenta(std::span<const double> q, std::span<const double> u, std::span<double> p);
  /// What is driven or locked from now on. Allocates nothing.
  void hold(std::span<const char> driven) { tree_.hold(driven); }
  /// paths: of what is driven. rows: G at q, as the values of the constraints that hold, where somebody has it at hand.
  void speeds(double t, std::span<const double> q, std::span<const double> p, const DrivenPaths& paths, std::span<double> u,
              std::span<const double> rows = {});

  /// Kinetic and potential energy [J]. The first alone after it.
  double energy(double t, std::span<const double> q, std::span<const double> u);
  double kinetic_energy() const { return kinetic_; }

 private:
  void size_for(int rows, int entries);
  StepData at_rest() const;
  void factor_mass(std::span<const double> q);

  Mechanism mechanism_;
  DiscreteTree tree_;
  tree::Constraints constraints_;
  tree::Workspace workspace_;
  const NewtonKernels* kernels_;
  SweepMemory memory_;
  std::vector<GeneralStep> general_steps_;
  mutable std::vector<GeneralMotion> general_;
  double kinetic_ = 0;
  std::vector<double> q_mid_, zeros_, ignored_, rest_;    // by speed
  std::vector<double> values_, columns_, schur_, right_;  // of the constraints
  linear::RankRevealingSolver solver_;
};

}  // namespace polhode::variational
