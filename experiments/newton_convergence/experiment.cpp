// Bruedigam & Manchester, Fig. 4d: how Newton's iteration converges within one step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "../all.h"
#include "polhode/mechanism/builder.h"
#include "polhode/variational/maximal/maximal_step.h"

namespace polhode::experiments {
namespace {

using maximal::Bodies;
using maximal::row_width;

constexpr double h = 0.01;                 // [s]
constexpr double paper_tolerance = 1e-10;  // at which the paper stops
constexpr double rounding = 1e-12;         // below this updates are made of rounding errors [m], [rad]

/// Rods of 1 m and 1 kg on hinges.
Mechanism chain(int n) {
  MechanismBuilder builder;
  const Mat3<double> axes = rotation_with_z(Vec3<double>{0, 1, 0});
  const auto name = [](int i) { return i == 0 ? std::string(ground_name) : fmt::format("link{}", i); };
  for (int i = 1; i <= n; ++i) {
    builder.add_body({name(i), {1, {0, 0, -0.5}, SymMat3<double>::diagonal({1.0 / 12, 1.0 / 12, 0.01})}});
    builder.add_joint({.name = fmt::format("joint{}", i),
                       .parent = name(i - 1),
                       .child = name(i),
                       .placement = LocalPlacement{{axes, {0, 0, i == 1 ? 0.0 : -1.0}}, {axes, {}}}});
  }
  return builder.build();
}

/// One step of the paper's integrator from a chain that is bent and moves. The guess knows nothing: no body moves, no joint has
/// an impulse.
class OneStep {
 public:
  explicit OneStep(int n) : mechanism_(chain(n)), momenta_(row_width * std::size_t(mechanism_.num_bodies()), 0.0) {
    std::vector<double> u;
    for (int i = 0; i < mechanism_.num_q(); ++i) {
      q_.push_back((i == 0 ? 0.8 : 0) + 0.2 * std::sin(1.0 + 3 * i));
      u.push_back(4 * std::cos(2.0 * i));
    }
    maximal::to_bodies(mechanism_, q_, u, start_);
    for (std::size_t b = 1; b < start_.size(); ++b) {
      const MassProperties& mass = mechanism_.bodies()[b].mass;
      const Vec3<double> spin = mass.inertia * start_[b].w, push = mass.mass * start_[b].v;
      const double six[] = {spin.x, spin.y, spin.z, push.x, push.y, push.z};
      std::copy_n(six, 6, momenta_.begin() + long(b) * row_width);
    }
  }

  struct Course {
    std::vector<double> updates;  ///< sizes, of displacements [m], [rad] and impulses (as shifts of 1 kg in a step) together
    std::vector<double> errors;   ///< of the equations, before the first update and after each
  };

  Course solve() const {
    constexpr double tolerance = 1e-14;  // as far as rounding lets it
    variational::MaximalStep step(mechanism_, {}, variational::TurnRule::chord, tolerance, h);
    Bodies next = start_;
    for (maximal::BodyMotion& body : next) body.w = body.v = {};
    std::vector<double> momenta = momenta_, impulses(std::size_t(step.constraints().num_rows()), 0.0);
    Course course;
    step.watch_corrections(&course.updates);
    step.start(0, start_, q_);
    step.solve(h, 1, momenta, next, impulses);
    course.errors.assign(step.history().begin(), step.history().end());
    return course;
  }

 private:
  Mechanism mechanism_;
  std::vector<double> q_, momenta_;
  Bodies start_;
};

/// p of |d(k+1)| = c |d(k)|^p from the last three updates that are above rounding: one more update tells c.
std::optional<double> exponent(const std::vector<double>& d) {
  std::size_t last = d.size();
  while (last > 0 && d[last - 1] < rounding) --last;
  if (last < 3) return std::nullopt;
  return std::log(d[last - 1] / d[last - 2]) / std::log(d[last - 2] / d[last - 3]);
}

void run_it(Findings& findings) {
  format::Plot plot{
      .title = "Updates within one time step", .x_name = "Newton iteration", .y_name = "size of the update", .log_y = true};
  plot.marks.push_back({paper_tolerance, "the paper stops"});
  Table table{
      .name = "newton_updates",
      .caption = "Size of the update of all bodies' displacements [m], [rad], and of impulses as the shift of 1 kg in a step"};
  table.columns = {"links", "iteration", "update", "error of the equations after it", "exponent of the last three"};
  for (const int n : {1, 10, 100}) {
    const auto [sizes, errors] = OneStep(n).solve();
    format::PlotSeries series{.name = fmt::format("{} link{}", n, n == 1 ? "" : "s"), .x = {}, .y = {}, .markers = true};
    const auto enough = std::find_if(errors.begin(), errors.end(), [](double error) { return error < paper_tolerance; });
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      series.x.push_back(double(k + 1));
      series.y.push_back(sizes[k]);
      const auto p = exponent({sizes.begin(), sizes.begin() + long(k + 1)});
      table.rows.push_back(
          {double(n), double(k + 1), sizes[k], errors[k + 1], p && sizes[k] >= rounding ? Cell(*p) : Cell("-")});
    }
    plot.series.push_back(std::move(series));
    findings.judge(
        bench::at_least(fmt::format("{} links: exponent of successive updates above rounding", n), exponent(sizes), 1.8));
    findings.judge(
        bench::at_most(fmt::format("{} links: iterations until no equation is off by the paper's 1e-10", n),
                       enough == errors.end() ? std::numeric_limits<double>::infinity() : double(enough - errors.begin()), 7));
  }
  findings.plot("updates",
                "One time step of pendulums from a guess that knows nothing: bodies at rest, joints without impulses.", plot);
  findings.table(std::move(table));
  findings.note(
      "The step is the paper's (order 1, 10 ms), the chain bent and moving. In a run the guess comes from the steps before, "
      "and "
      "fewer iterations are enough (chain_cost counts them).");
  findings.note(
      "No peer has the like of this to look at: ODE, Bullet and DART solve a linear complementarity problem for velocities "
      "once a step, MuJoCo a convex one for accelerations, and Simbody's projections do not tell their iterations.");
}

}  // namespace

extern const Experiment newton_convergence{
    "newton_convergence", "Newton's iteration within one step", "Bruedigam & Manchester, Fig. 4d",
    "Newton's method converges quadratically on one time step of pendulums with 1, 10 and 100 links: each iteration doubles "
    "the digits, and the number of links hardly matters.",
    run_it};

}  // namespace polhode::experiments
