#pragma once
#include "../../bench/step/problem.h"

namespace polhode::experiments {

/// The same mechanism with links `factor` times as long, of the same mass.
inline bench::Problem with_long_links(bench::Problem problem, double factor) {
  using bench::operator*;
  for (bench::Link& link : problem.links) {
    link.joint_at = factor * link.joint_at;
    link.centre = factor * link.centre;
    link.inertia = (factor * factor) * link.inertia;
  }
  for (bench::Closure& closure : problem.closures) {
    closure.p_a = factor * closure.p_a;
    closure.p_b = factor * closure.p_b;
    closure.length *= factor;
  }
  problem.energy_scale *= factor;
  return problem;
}

}  // namespace polhode::experiments
