#pragma once
#include <optional>
#include <vector>

#include "polhode/tree/constrained_dynamics.h"
#include "polhode/tree/constraints.h"

namespace polhode::tree {

/// What a Workspace makes when it is first needed, and keeps: then realizing one state after another allocates nothing.
struct Evaluators {
  std::optional<ConstrainedDynamics> dynamics{};
  std::optional<Constraints> constraints{};
  std::vector<int> first_row{};  ///< of constraints, by element: its first row; -1 where the element is off
  // By body, by speed, by row.
  std::vector<Wrench<double>> on_bodies{}, through_joints{};
  std::vector<double> on_speeds{}, by_row{};

  ConstrainedDynamics& dynamics_of(const State& state);
  /// The constraints that a state has enabled.
  const Constraints& constraints_of(const State& state);
};

Evaluators& evaluators(Workspace& w);

}  // namespace polhode::tree
