#include "race.h"

#include <algorithm>
#include <cmath>

#include "polhode/projected/tree/options.h"

namespace polhode::bench {
namespace {

/// Short runs are repeated for as long as this, for the least of a few of them says little.
constexpr double least_total = 0.3;  // [s]

void note(Lane& lane, const ProjectedRun& run) {
  lane.seconds = lane.steps == 0 ? run.seconds : std::min(lane.seconds, run.seconds);
  lane.steps = run.steps;
  lane.evaluations = run.evaluations;
}

Lane with_error(ProjectedSubject& subject, const ProjectedSettings& settings, const ProjectedRun& reference) {
  const ProjectedRun run = subject.run(settings);
  Lane lane;
  lane.finished = run.finished;
  lane.error = run.finished ? distance(run, reference) : NAN;
  return lane;
}

}  // namespace

bool simbody_is_there() {
#ifdef POLHODE_BENCH_SIMBODY
  return true;
#else
  return false;
#endif
}

std::optional<double> Race::ratio() const {
  if (!theirs || !theirs->finished || !ours.finished) return std::nullopt;
  return theirs->seconds / ours.seconds;
}

std::optional<double> Race::error_ratio() const {
  if (!theirs || !theirs->finished || !ours.finished) return std::nullopt;
  return ours.error / theirs->error;
}

double distance(const ProjectedRun& a, const ProjectedRun& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.centres.size(); ++i) {
    double sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += (a.centres[i][k] - b.centres[i][k]) * (a.centres[i][k] - b.centres[i][k]);
    largest = std::max(largest, std::sqrt(sum));
  }
  return largest;
}

ProjectedRun reference_run(const LoopProblem& problem) {
  return make_polhode_projected(problem)->run({"rk8", 1e-13, problem.error_time});
}

Race hold_race(const LoopProblem& problem, double accuracy, int rounds) {
  Race race{problem, accuracy, {}, {}};
  const ProjectedRun reference = reference_run(problem);
  const ProjectedSettings to_time{"merson", accuracy, problem.time}, to_compare{"merson", accuracy, problem.error_time};
  const auto ours = make_polhode_projected(problem);
  race.ours = with_error(*ours, to_compare, reference);
  std::unique_ptr<ProjectedSubject> theirs;
#ifdef POLHODE_BENCH_SIMBODY
  theirs = make_simbody_projected(problem);
  race.theirs = with_error(*theirs, to_compare, reference);
#endif
  double total = 0;
  for (int round = 0; round < rounds || total < least_total; ++round) {
    if (race.ours.finished) {
      const ProjectedRun run = ours->run(to_time);
      race.ours.finished = run.finished;
      note(race.ours, run);
      total += run.seconds;
    }
    if (race.theirs && race.theirs->finished) {
      const ProjectedRun run = theirs->run(to_time);
      race.theirs->finished = run.finished;
      note(*race.theirs, run);
      total += run.seconds;
    } else if (!race.ours.finished) {
      break;
    }
  }
  return race;
}

std::vector<IntegratorRun> try_integrators(const LoopProblem& problem, double accuracy, int rounds) {
  const ProjectedRun reference = reference_run(problem);
  const auto ours = make_polhode_projected(problem);
  std::vector<IntegratorRun> runs;
  for (const std::string_view name : projected::integrator_names()) {
    const std::string integrator(name);
    const ProjectedSettings settings{integrator, accuracy, problem.error_time};
    IntegratorRun entry{integrator, with_error(*ours, settings, reference)};
    for (int round = 0; round < rounds && entry.lane.finished; ++round) note(entry.lane, ours->run(settings));
    runs.push_back(entry);
  }
  return runs;
}

}  // namespace polhode::bench
