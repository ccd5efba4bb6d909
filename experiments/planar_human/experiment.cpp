// Johnson & Murphey, Fig. 2: the planar human, a tree of frames with springs in its joints, in the air and in space.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../../bench/step/from_mechanism.h"
#include "../../bench/step/measure.h"
#include "../all.h"
#include "../common/lineup.h"
#include "../common/trend.h"
#include "polhode/format/language/model.h"

namespace polhode::experiments {
namespace {

using bench::Triple;

constexpr double h = 0.01;  // [s]

std::string model_file() { return POLHODE_MODELS "/planar_human.pol"; }

double energy_at_start(const bench::Problem& problem) { return bench::Meter(problem).read(0, bench::start_of(problem)).energy; }

double mass_of(const bench::Problem& problem) {
  double mass = 0;
  for (const bench::Link& link : problem.links) mass += link.mass;
  return mass;
}

/// The same human where nothing weighs: its flight need not end. Energies are relative to what is not in the common motion.
bench::Problem weightless_human() {
  std::string text = format::model_text(model_file());
  const std::string weight = "(gravity 0 -9.81 0)";
  text.replace(text.find(weight), weight.size(), "(gravity 0 0 0)");
  bench::Problem problem =
      bench::problem_of(std::make_shared<const bench::OwnModel>(format::read_model(text, "weightless human").mechanism));
  problem.name = "weightless planar human";
  const Triple momentum = bench::momenta_of(problem, bench::start_of(problem)).linear;
  problem.energy_scale = energy_at_start(problem) - bench::dot(momentum, momentum) / (2 * mass_of(problem));
  return problem;
}

/// About the world's origin.
Triple angular_momentum(const bench::Problem& problem, const bench::Course& course, std::size_t sample) {
  using namespace bench;
  Triple weighted{};
  for (std::size_t i = 0; i < course.links; ++i) weighted = weighted + problem.links[i].mass * course.centres[sample][i];
  return course.spin[sample] + cross((1 / mass_of(problem)) * weighted, course.momentum[sample]);
}

/// What is left of a long run without gravity.
struct LongRun {
  std::string label;
  bool finished = false;
  std::string reason{};
  format::PlotSeries energy{}, momentum{}, angular{};  // errors: [%], relative, relative
  double momentum_error = 0, angular_error = 0;        // largest, relative
  double largest = 0, change = 0;  // of the energy error, of its scale: largest, between first and last tenth
};

LongRun long_run(const Race& race, const std::string& label, const Setting& setting) {
  using namespace bench;
  const Lap lap = run_lap(race, label, setting);
  LongRun result{.label = label, .finished = lap.finished(), .reason = lap.remark()};
  if (!result.finished) return result;
  const Course& course = lap.course;
  const Triple first = angular_momentum(race.problem, course, 0);
  result.energy = result.momentum = result.angular = series_of(label);
  for (std::size_t k = 0; k < course.size(); ++k) {
    const double p = length(course.momentum[k] - course.momentum[0]) / length(course.momentum[0]);
    const double L = length(angular_momentum(race.problem, course, k) - first) / length(first);
    result.momentum_error = std::max(result.momentum_error, p);
    result.angular_error = std::max(result.angular_error, L);
    result.energy.y.push_back(100 * std::abs(course.energy[k]));
    result.momentum.y.push_back(p);
    result.angular.y.push_back(L);
  }
  result.energy.x = result.momentum.x = result.angular.x = course.t;
  result.largest = lap.outcome.drift_largest;
  const std::size_t tenth = course.size() / 10;
  result.change = mean(course.energy, course.size() - tenth, course.size()) - mean(course.energy, 0, tenth);
  return result;
}

const LongRun* find(const std::vector<LongRun>& runs, const std::string& label) {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const LongRun& run) { return run.label == label; });
  return found != runs.end() && found->finished ? &*found : nullptr;
}

void show_long_runs(Findings& findings, const std::vector<LongRun>& runs, double time) {
  format::Plot energy{
      .title = "Energy", .x_name = "time", .x_unit = "s", .y_name = "energy error", .y_unit = "%", .log_y = true};
  format::Plot momentum{.title = "Linear momentum", .x_name = "time", .x_unit = "s", .y_name = "relative error", .log_y = true};
  format::Plot angular = momentum;
  angular.title = "Angular momentum";
  Table table{.name = "flight_runs", .caption = fmt::format("The weightless human after {:g} s, with steps of 10 ms", time)};
  table.columns = {
      "engine and method",         "linear momentum, largest relative error", "angular momentum, largest relative error",
      "energy error, largest [%]", "energy, last tenth less first [%]",       "remark"};
  for (const LongRun& run : runs) {
    const auto number = [&](double value) { return run.finished ? Cell(value) : Cell("-"); };
    table.rows.push_back({run.label, number(run.momentum_error), number(run.angular_error), number(100 * run.largest),
                          number(100 * run.change), run.reason});
    if (!run.finished) continue;
    energy.series.push_back(run.energy);
    momentum.series.push_back(run.momentum);
    angular.series.push_back(run.angular);
  }
  findings.plot("flight",
                "The human without gravity: errors of energy, linear momentum and angular momentum about a fixed point.",
                {energy, momentum, angular});
  findings.table(std::move(table));
}

void fly(Findings& findings) {
  const double time = findings.pick(100.0, 20.0);
  const Race race{.name = "flight", .problem = weightless_human(), .time = time, .interval = h, .curves = {}, .repetitions = 0};
  std::vector<Curve> everybody = curves_of(our_labels(), {{h}, {1e-6}, h});
  for (Curve& curve : everybody) {
    // The library's own tolerance: races are run with 1e-10, and momenta are kept as well as the equations are solved.
    if (curve.label.find("variational") != std::string::npos) curve.settings[0].entrant += " tolerance=1e-12";
  }
  for (Curve& curve : curves_of(peer_labels(), {{h}, {1e-3}, h})) everybody.push_back(std::move(curve));
  std::vector<LongRun> runs;
  for (const Curve& curve : everybody) runs.push_back(long_run(race, curve.label, curve.settings[0]));
  show_long_runs(findings, runs, time);

  const LongRun* own = find(runs, "tree-variational");
  const auto of = [own](double LongRun::*value) { return own ? std::optional(std::abs(own->*value)) : std::nullopt; };
  findings.judge(
      bench::at_most("tree-variational, weightless: linear momentum, relative error", of(&LongRun::momentum_error), 1e-10));
  findings.judge(
      bench::at_most("tree-variational, weightless: angular momentum, relative error", of(&LongRun::angular_error), 1e-10));
  findings.judge(bench::at_most("tree-variational, weightless: largest energy error, of the energy beside the common motion",
                                of(&LongRun::largest), 0.02));
  findings.judge(bench::at_most(
      "tree-variational, weightless: energy of the last tenth against the first, over the largest error (no secular drift)",
      own ? std::optional(std::abs(own->change) / own->largest) : std::nullopt, 0.5));
}

/// Largest change of the horizontal momentum, and of the vertical one from -m g t, relative to the momentum at the start.
double momentum_error(const bench::Problem& problem, const bench::Course& course) {
  using namespace bench;
  double largest = 0;
  for (std::size_t k = 0; k < course.size(); ++k) {
    const Triple fallen = (mass_of(problem) * course.t[k]) * problem.gravity;
    largest = std::max(largest, length(course.momentum[k] - course.momentum[0] - fallen));
  }
  return largest / length(course.momentum[0]);
}

/// Largest change of the angular momentum about the centre of mass [kg m^2/s].
double spin_error(const Lap& lap) {
  using namespace bench;
  double largest = 0;
  for (const Triple& spin : lap.course.spin) largest = std::max(largest, length(spin - lap.course.spin[0]));
  return largest;
}

void jump(Findings& findings) {
  constexpr double interval = 0.04;
  Race race{.name = "jump",
            .problem = bench::problem_of(bench::load_own_model(model_file())),
            .time = 2,
            .interval = interval,
            .curves = {}};
  const auto steps = findings.pick<std::vector<double>>({0.02, 0.01, 0.005, 0.002, 0.001, 0.0005}, {0.01, 0.005, 0.002});
  const auto accuracies =
      findings.pick<std::vector<double>>({1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}, {1e-3, 1e-5, 1e-7});
  race.curves = curves_of(joined(our_labels(), peer_labels()), {steps, accuracies, interval});
  race.reference = reference_for(findings, race);
  race.repetitions = findings.pick(3, 1);
  const std::vector<Lap> laps = run(race);
  show(findings, race, laps);

  std::optional<double> kept;
  for (const Lap& lap : laps) {
    if (lap.label == "tree-variational" && lap.finished()) {
      kept = std::max(kept.value_or(0), momentum_error(race.problem, lap.course));
    }
  }
  findings.judge(bench::at_most("tree-variational, falling: momentum less that of the weight, relative error", kept, 1e-10));
  const auto order = order_of(laps, "tree-variational");
  const auto spin = order_of(laps, "tree-variational", spin_error);
  findings.judge(bench::at_most("tree-variational is of second order: error against the step, exponent off 2",
                                order ? std::optional(std::abs(*order - 2)) : std::nullopt, 0.1));
  findings.judge(bench::at_least("tree-variational, falling: angular momentum about the centre of mass, exponent of its error",
                                 spin, 1.9));
}

void run_it(Findings& findings) {
  fly(findings);
  jump(findings);
  findings.note(
      "The paper shows the tree and gives no data. models/planar_human.pol is a human of 1.75 m and 75 kg with 17 coordinates; "
      "its head says where lengths and masses are from. Springs in the joints are ours.");
  findings.note(
      "Springs by the peers: MuJoCo and Simbody evaluate them wherever they evaluate forces. DART's own are implicit, which "
      "takes energy out. ODE's and Bullet's joints have none; theirs are torques that are set before a step and held over it. "
      "That makes Bullet's RK4 a method of first order here that feeds energy in, and is our doing as much as Bullet's.");
  findings.note(
      "The midpoint rule keeps what belongs to a symmetry that acts linearly on its coordinates: the horizontal momentum "
      "always, all momenta and the angular momentum about a fixed point without gravity. Angular momentum about the centre of "
      "mass is kept by no such symmetry while the human falls; there its error is of second order, as the motion's is.");
}

}  // namespace

extern const Experiment planar_human{
    "planar_human", "A planar human in the air", "Johnson & Murphey, Fig. 2",
    "A tree of simple transformations describes mechanisms as complex as a human body, and the variational integrator on the "
    "tree's coordinates keeps momentum exactly and energy on average, with springs and all.",
    run_it};

}  // namespace polhode::experiments
