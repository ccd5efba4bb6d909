// Bruedigam & Manchester, Fig. 7: the quadruped with closed-loop legs, which the paper shows as an application.
#include <fmt/format.h>

#include "../../bench/step/from_mechanism.h"
#include "../all.h"
#include "../common/lineup.h"
#include "momentum.h"

namespace polhode::experiments {
namespace {

constexpr double dt = 0.002;  // [s]

// The first of ours keep a momentum of their own to the end; order 1 is the paper's method.
const Labels ours{"maximal-variational", "tree-variational", "maximal-variational, order 1", "tree-projected",
                  "maximal-projected"};
constexpr std::size_t num_kept = 2;

format::Plot energies(const std::string& title, const std::vector<Lap>& laps, std::size_t first, std::size_t last) {
  format::Plot plot{.title = title, .x_name = "time", .x_unit = "s", .y_name = "energy error", .y_unit = "%"};
  double most = 0;
  for (std::size_t i = first; i < last; ++i) {
    if (laps[i].course.size() < 2) continue;
    format::PlotSeries series = series_of(laps[i].label);
    series.x = laps[i].course.t;
    for (const double energy : laps[i].course.energy) series.y.push_back(100 * energy);
    if (laps[i].finished()) most = std::max(most, 100 * laps[i].outcome.drift_largest);
    plot.series.push_back(std::move(series));
  }
  if (most > 0) plot.y_low = -1.1 * most, plot.y_high = 1.1 * most;
  return plot;
}

/// The legs are planar, so that a toe that stays on a line is one that meets a point: for engines that have no lines.
bench::Problem with_points(bench::Problem problem) {
  for (bench::Closure& closure : problem.closures) closure.kind = bench::Closure::Kind::point;
  return problem;
}

bool has_no_lines(const std::string& entrant) { return entrant.find("polhode") != 0 && entrant.find("simbody") != 0; }

/// Everyone, with the closures that they can do.
std::vector<Lap> run_all(const Race& race) {
  Race points = race;
  points.problem = with_points(race.problem);
  std::vector<Lap> laps;
  for (const Curve& curve : race.curves) {
    for (const Setting& setting : curve.settings) {
      laps.push_back(run_lap(has_no_lines(setting.entrant) ? points : race, curve.label, setting));
    }
  }
  return laps;
}

/// What should be kept, by everyone at one step size.
void conserved(Findings& findings, const bench::Problem& robot) {
  Race race{.name = "kept", .problem = robot, .time = findings.pick(10.0, 1.0), .interval = 0.02, .curves = {}};
  race.repetitions = findings.pick(2, 1);
  race.curves = curves_of(joined(ours, without(main_peer_labels(), {"Bullet RK4"})), {{dt}, {1e-6}, dt});
  for (Curve& curve : race.curves) {
    // The library's own tolerance: momenta are kept as well as the equations are solved.
    if (curve.label.find("variational") != std::string::npos) curve.settings[0].entrant += " tolerance=1e-12";
  }
  const std::vector<Lap> laps = run_all(race);
  Table table{.name = "kept",
              .caption = fmt::format("{:g} s in the air at {:g} ms or an accuracy of 1e-6: what changes that should not",
                                     race.time, 1000 * dt)};
  table.columns = {"engine and method",
                   "wall time [s]",
                   "energy, largest [%]",
                   "horizontal momentum [kg m/s]",
                   "angular momentum about the vertical [kg m^2/s]",
                   "angular momentum about the centre of mass [kg m^2/s]",
                   "loop gap [m]",
                   "remark"};
  for (std::size_t i = 0; i < laps.size(); ++i) {
    const Lap& lap = laps[i];
    const auto [across, about, spin] = momentum_change(race.problem, lap.course);
    const bool done = lap.finished();
    const auto cell = [done](double value) { return done ? Cell(value) : Cell("-"); };
    table.rows.push_back({lap.label, cell(lap.seconds), cell(100 * lap.outcome.drift_largest), cell(across), cell(about),
                          cell(spin), cell(lap.outcome.gap), lap.remark()});
    const auto measured = [done](double value) { return done ? std::optional(value) : std::nullopt; };
    if (i >= ours.size()) continue;
    findings.judge(bench::at_most(lap.label + ": loop gap [m]", measured(lap.outcome.gap), 1e-9));
    if (i >= num_kept) continue;
    // 5 kg at 3 m/s and 0.15 kg m^2/s; speeds that are read off poses have Newton's tolerance over the step in them, 1e-9.
    findings.judge(bench::at_most(lap.label + ": change of horizontal momentum [kg m/s]", measured(across), 1e-8));
    findings.judge(
        bench::at_most(lap.label + ": change of angular momentum about the vertical [kg m^2/s]", measured(about), 1e-8));
    if (i == 0) {
      findings.judge(
          bench::at_most(lap.label + ": change of angular momentum about the centre of mass [kg m^2/s]", measured(spin), 1e-8));
    }
    findings.judge(bench::at_most(lap.label + ": largest energy error [%]", measured(100 * lap.outcome.drift_largest), 1));
  }
  findings.plot("energy", "Energy error in the air.",
                {energies("Ours", laps, 0, ours.size()), energies("Peers", laps, ours.size(), laps.size())});
  findings.table(std::move(table));
}

void work_precision(Findings& findings, const bench::Problem& robot) {
  const std::vector<double> steps = findings.pick(std::vector{0.005, 0.002, 0.001, 0.0005}, std::vector{0.005, 0.001});
  const std::vector<double> accuracies = findings.pick(std::vector{1e-3, 1e-5, 1e-7, 1e-9}, std::vector{1e-4});
  Race race{.name = "robot", .problem = robot, .time = 1, .interval = 0.02, .curves = {}};
  race.repetitions = findings.pick(2, 1);
  race.interval = 0.02;
  race.curves = curves_of(joined(our_labels_of_more_orders(), main_peer_labels()), {steps, accuracies, race.interval});
  race.reference = reference_for(findings, race);
  show(findings, race, run_all(race));
}

void run_it(Findings& findings) {
  const bench::Problem robot = bench::problem_of(bench::load_own_model(POLHODE_MODELS "/minitaur.pol"));
  conserved(findings, robot);
  work_precision(findings, robot);
  findings.note(
      "The paper shows the robot and gives no data or runs of it. Here: models/minitaur.pol, a trunk of 4 kg with four "
      "five-bar "
      "legs that springs at the hips swing, thrown up and turning.");
  findings.note(
      "The momenta across gravity and about the vertical are those that Noether's theorem gives any variational integrator. "
      "About the centre of mass maximal coordinates keep all of the angular momentum too, for there the centre of mass flies "
      "as a point does; tree coordinates keep it to the order of the method.");
  findings.note(
      "ODE, MuJoCo, Bullet and DART have no equations that keep a point on a line in space; as legs are planar, their toes "
      "meet as points, with one equation more than it takes. DART diverges within a tenth of a second, at a quarter of the "
      "step and with springs as forces too, and a check of its own ends the run then; whether that equation is why is not "
      "known.");
  findings.note(
      "Momenta are measured from the velocities that an engine reports. Those of maximal-variational at order 1 are velocities "
      "of a step, not of a node, so what they show is not the momentum that is kept.");
}

}  // namespace

extern const Experiment minitaur{
    "minitaur", "A quadruped with closed-loop legs", "Bruedigam & Manchester, Fig. 7",
    "Closed loops as in the legs of the Minitaur robot are hard for minimal coordinates and plain in maximal ones. In the air "
    "its energy, its horizontal momentum, its angular momentum about the centre of mass and its loops must all be kept.",
    run_it};

}  // namespace polhode::experiments
