#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../../bench/numbers.h"
#include "jet_case.h"

// What the paper says, and whether it is so.
namespace polhode::experiments::jets {
namespace {

/// The farthest that a number of steps is from the paper's, as a factor.
double farthest_from_paper(const JetCase& the_case, const JetRuns& runs) {
  double farthest = 1;
  for (std::size_t i = 0; i < num_runs; ++i) {
    const double ratio = double(runs[i].steps.steps) / the_case.paper[i].steps;
    farthest = std::max({farthest, ratio, 1 / ratio});
  }
  return farthest;
}

void judge_energy(Findings& findings, const JetCase& the_case, const JetRuns& runs) {
  // The method meets the energy to its tolerance times the most energy there was. Coordinates, from which energies are worked
  // out here, are read off bodies whose joints and speeds are off by as much again: a factor of 10 covers the sum.
  const double met = 10 * runs[quasi].plan.tolerance * runs[quasi].most_energy();
  findings.judge(
      bench::at_most("kept, the total energy stays: largest change [J], quasi-orthogonal", runs[quasi].own_drift(), met));
  findings.judge(bench::at_most("the same, orthogonal", runs[orthogonal].own_drift(), met));
  if (the_case.drive.torque != 0) {
    // The work is one more component of the step; projections move the angle, which the work does not see, by the error of a
    // step at most: 2 radians for each unit of Euler parameters, which the accuracy is of, 1 + |theta| being 2 at most.
    const double by_angle = std::abs(the_case.drive.torque) * 4 * the_case.accuracy * double(runs[quasi].steps.steps);
    findings.judge(bench::at_most("the same with the work by the angle turned: largest change [J], quasi-orthogonal",
                                  runs[quasi].drift(), by_angle));
  }
  findings.judge(bench::at_least("not kept, it drifts off: largest change over that when kept, quasi-orthogonal",
                                 runs[quasi_free].drift() / runs[quasi].drift(), 10));
  findings.judge(bench::at_least("the same, orthogonal", runs[orthogonal_free].drift() / runs[orthogonal].drift(), 10));
}

}  // namespace

void judge_runs(Findings& findings, const JetCase& the_case, const JetRuns& runs) {
  const bool finished = std::all_of(runs.begin(), runs.end(), [](const JetRun& run) { return run.finished; });
  findings.judge(bench::at_least("all four runs finish", finished ? 1.0 : 0.0, 1));
  if (!finished) return;
  judge_energy(findings, the_case, runs);
  findings.judge(
      bench::at_most("steps, as a factor from the paper's, the farthest of four", farthest_from_paper(the_case, runs), 1.5));
  double position = 0, velocity = 0;
  for (const JetRun& run : runs) {
    position = std::max(position, run.position_error);
    velocity = std::max(velocity, run.velocity_error);
  }
  findings.judge(bench::at_most("constraint errors, largest [m], [rad]", position, 1e-10));
  findings.judge(bench::at_most("and of their rates [m/s], [rad/s]", velocity, 1e-10));
  findings.judge(bench::at_least(fmt::format("quasi-orthogonal projection is the faster one (the paper: {:g} times)",
                                             the_case.paper_speedup),
                                 runs[orthogonal].seconds / runs[quasi].seconds, 1),
                 About::speed);
  findings.judge(
      bench::at_least("the same without keeping the energy", runs[orthogonal_free].seconds / runs[quasi_free].seconds, 1),
      About::speed);
}

ExactMotion exact_motion(const JetCase& the_case, const State& start) {
  const Vec3<double> centre = centres_of(start, {.accuracy = 1e-4, .time = 0}, exact_interval)[0][0];
  const int intervals = int(std::lround(time_of_runs / exact_interval));
  return follow(the_case.exact(the_case.drive.angle(centre)), exact_interval, intervals);
}

void check_against_exact(Findings& findings, const JetCase& the_case, const State& start, const ExactMotion& exact) {
  Table table{.name = "against_exact",
              .caption = fmt::format("The {} by maximal-projected against the solution of its one degree of freedom, "
                                     "places of all centres of mass over 10 s",
                                     the_case.name),
              .columns = {"accuracy", "largest error [m]"}};
  std::vector<std::pair<double, double>> errors;
  for (const double accuracy : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const auto centres = centres_of(start, {.accuracy = accuracy}, exact_interval);
    double largest = 0;
    for (std::size_t k = 0; k < centres.size(); ++k) {
      for (std::size_t b = 0; b < centres[k].size(); ++b) {
        const auto& [x, y, z] = exact.centres[k][b];
        const Vec3<double> off = centres[k][b] - Vec3<double>{x, y, z};
        largest = std::max(largest, std::sqrt(dot(off, off)));
      }
    }
    errors.emplace_back(accuracy, largest);
    table.rows.push_back({accuracy, largest});
  }
  findings.table(table);
  findings.judge(bench::at_least("the error falls with the accuracy: exponent", bench::log_log_slope(errors), 0.7));
}

}  // namespace polhode::experiments::jets
