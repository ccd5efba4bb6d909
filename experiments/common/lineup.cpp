#include "lineup.h"

#include <fmt/format.h>

namespace polhode::experiments {

std::vector<Curve> peers_with(const std::vector<double>& steps, const std::vector<double>& accuracies, double interval) {
  std::vector<Curve> curves;
  for (const char* entrant :
       {"ode exact", "ode quick", "mujoco euler", "mujoco rk4", "simbody verlet", "bullet euler", "bullet rk4", "dart euler"}) {
    curves.push_back(with_steps(entrant, entrant, steps));
  }
  curves.push_back(with_accuracies("simbody merson", "simbody merson-", accuracies, interval));
  return curves;
}

std::vector<Curve> ours_with(const std::vector<double>& steps, const std::vector<double>& accuracies, double interval) {
  std::vector<Curve> curves;
  for (const char* method : {"maximal-variational order=1", "maximal-variational", "maximal-variational order=4",
                             "tree-variational", "tree-variational order=4"}) {
    curves.push_back(with_steps(method, fmt::format("polhode {}", method), steps));
  }
  for (const char* method : {"tree-projected", "maximal-projected"}) {
    curves.push_back(with_accuracies(method, fmt::format("polhode {} accuracy=", method), accuracies, interval));
  }
  return curves;
}

bench::Course reference_for(Findings& findings, const Race& race) {
  Race alone = race;
  alone.repetitions = 0;
  alone.reference = {};
  const Lap lap = run_lap(alone, "reference", {"polhode tree-projected integrator=rk8 accuracy=1e-12", race.interval});
  if (lap.finished()) return lap.course;
  findings.note(fmt::format("No reference for {}: {}", race.name, lap.outcome.reason.data()));
  return {};
}

}  // namespace polhode::experiments
