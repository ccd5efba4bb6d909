#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../../bench/step/from_mechanism.h"
#include "../common/race.h"
#include "jet_case.h"

// Every engine on the seed's mechanisms.
namespace polhode::experiments::jets {
namespace {

constexpr double interval = 0.1;  // [s]
constexpr double time = 10;       // [s]

/// The course's places against the exact ones. A link is the body that is where the link is at the start.
double largest_difference(const bench::Course& course, const ExactMotion& exact) {
  using bench::operator-;
  double largest = 0;
  for (std::size_t i = 0; i < course.links; ++i) {
    const auto off = [&](std::size_t k, std::size_t body) {
      return bench::length(course.centres[k][i] - exact.centres[k][body]);
    };
    std::size_t nearest = 0;
    for (std::size_t b = 0; b < exact.centres[0].size(); ++b)
      if (off(0, b) < off(0, nearest)) nearest = b;
    for (std::size_t k = 0; k < course.size(); ++k) largest = std::max(largest, off(k, nearest));
  }
  return largest;
}

std::vector<Curve> curves(const Findings& findings) {
  using Numbers = std::vector<double>;
  const Numbers steps = findings.pick(Numbers{0.01, 0.005, 0.002, 0.001, 0.0005}, Numbers{0.01, 0.002});
  const Numbers long_steps = findings.pick(Numbers{0.05, 0.02, 0.01, 0.005, 0.002}, Numbers{0.02, 0.005});
  const Numbers accuracies = findings.pick(Numbers{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}, Numbers{1e-4, 1e-6, 1e-8});
  return {with_accuracies("Polhode maximal-projected", "polhode maximal-projected accuracy=", accuracies, interval),
          with_accuracies("Polhode tree-projected", "polhode tree-projected accuracy=", accuracies, interval),
          with_steps("Polhode tree-variational, order 4", "polhode tree-variational order=4", long_steps),
          with_steps("Polhode tree-variational", "polhode tree-variational", steps),
          with_steps("Polhode maximal-variational", "polhode maximal-variational", steps),
          with_accuracies("Simbody merson", "simbody merson-", accuracies, interval),
          with_steps("MuJoCo rk4", "mujoco rk4", steps),
          with_steps("MuJoCo implicit", "mujoco implicit", steps),
          with_steps("ODE exact", "ode exact", steps),
          with_steps("DART", "dart euler", steps),
          with_steps("Bullet", "bullet rk4", steps)};
}

/// Ours must come nearer to the reference as they are made finer.
void judge_ours(Findings& findings, const std::vector<Lap>& laps) {
  for (const char* label : {"Polhode maximal-projected", "Polhode tree-projected", "Polhode tree-variational, order 4",
                            "Polhode tree-variational", "Polhode maximal-variational"}) {
    std::vector<double> errors;
    bool finished = true;
    for (const Lap& lap : laps) {
      if (lap.label != label) continue;
      errors.push_back(lap.error_rms);
      finished = finished && lap.finished();
    }
    std::optional<double> ratio;
    if (finished && errors.size() > 1) ratio = errors.back() / errors.front();
    findings.judge(bench::at_most(fmt::format("{}: the finest run's error over the coarsest one's", label), ratio, 0.2));
  }
}

/// How much faster ours is than each peer at the peer's smallest error.
void judge_peers(Findings& findings, const std::vector<Lap>& laps) {
  for (const char* label : {"Simbody merson", "MuJoCo rk4", "MuJoCo implicit", "ODE exact", "DART", "Bullet"}) {
    const Lap* best = nullptr;
    for (const Lap& lap : laps)
      if (lap.label == label && lap.finished() && (!best || lap.error_rms < best->error_rms)) best = &lap;
    if (!best) continue;
    std::optional<double> ours;  // the fastest of ours that is at least as near
    for (const Lap& lap : laps)
      if (lap.setting.entrant.starts_with("polhode") && lap.finished() && lap.error_rms <= best->error_rms)
        ours = std::min(ours.value_or(lap.seconds), lap.seconds);
    findings.judge(
        bench::at_least(fmt::format("at the smallest error of {} ({:.2g} m rms), times faster than it", label, best->error_rms),
                        ours ? std::optional(best->seconds / *ours) : std::nullopt, 1),
        About::speed);
  }
}

}  // namespace

void hold_race(Findings& findings, const JetCase& the_case, const State& start) {
  Race race{.name = "race",
            .problem = bench::problem_of(bench::load_own_model(std::string(POLHODE_MODELS) + "/" + the_case.model)),
            .time = time,
            .interval = interval,
            .curves = curves(findings),
            .repetitions = findings.pick(2, 1),
            .limit_seconds = findings.pick(20.0, 4.0)};
  const Lap finest = run_lap(race, "reference", {"polhode tree-projected integrator=rk8 accuracy=1e-12", interval});
  const auto centre = centres_of(start, {.accuracy = 1e-4, .time = 0}, interval)[0][0];
  const ExactMotion exact = follow(the_case.exact(the_case.drive.angle(centre)), interval, int(std::lround(time / interval)));
  findings.judge(bench::at_most("the reference, tree-projected at 1e-12, against the exact motion of one degree [m]",
                                finest.finished() ? std::optional(largest_difference(finest.course, exact)) : std::nullopt,
                                1e-8));
  race.reference = finest.course;
  const std::vector<Lap> laps = run(race);
  show(findings, race, laps);
  judge_ours(findings, laps);
  judge_peers(findings, laps);
}

}  // namespace polhode::experiments::jets
