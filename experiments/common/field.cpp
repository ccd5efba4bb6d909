#include "field.h"

namespace polhode::experiments {

std::vector<Curve> peers(const std::vector<double>& steps, const std::vector<double>& accuracies, double interval) {
  return {with_steps("ODE step", "ode exact", steps),
          with_steps("ODE quickstep", "ode quick", steps),
          with_steps("MuJoCo Euler", "mujoco euler", steps),
          with_steps("MuJoCo implicit", "mujoco implicit", steps),
          with_steps("MuJoCo RK4", "mujoco rk4", steps),
          with_steps("Simbody Euler", "simbody euler", steps),
          with_steps("Simbody Verlet", "simbody verlet", steps),
          with_accuracies("Simbody Merson", "simbody merson-", accuracies, interval),
          with_steps("Bullet Euler", "bullet euler", steps),
          with_steps("Bullet RK4", "bullet rk4", steps),
          with_steps("DART", "dart euler", steps)};
}

std::vector<Curve> ours(const std::vector<double>& steps, const std::vector<double>& accuracies, double interval) {
  return {with_steps("tree-variational", "polhode tree-variational", steps),
          with_steps("tree-variational, order 4", "polhode tree-variational order=4", steps),
          with_steps("maximal-variational", "polhode maximal-variational", steps),
          with_accuracies("tree-projected", "polhode tree-projected accuracy=", accuracies, interval),
          with_accuracies("maximal-projected", "polhode maximal-projected accuracy=", accuracies, interval)};
}

std::optional<Fastest> fastest(const std::vector<Lap>& laps, const std::vector<Curve>& curves, double error_rms) {
  std::optional<Fastest> best;
  const auto consider = [&](const std::string& label, double seconds) {
    if (!best || seconds < best->seconds) best = Fastest{label, seconds};
  };
  for (const Curve& curve : curves) {
    if (const auto seconds = seconds_at(laps, curve.label, error_rms)) consider(curve.label, *seconds);
    for (const Lap& lap : laps) {  // who is better at his coarsest already
      if (lap.label == curve.label && lap.finished() && lap.error_rms <= error_rms) consider(curve.label, lap.seconds);
    }
  }
  return best;
}

}  // namespace polhode::experiments
