// Polhode.  Methods: see polhode_options.h.

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "built_mechanism.h"
#include "convert.h"
#include "polhode/tree/realize.h"
#include "polhode/version.h"
#include "polhode_options.h"
#include "subject.h"

namespace polhode::bench {
namespace {

/// The model that the problem was made from, or else one that is made from its links.
struct Ours {
  explicit Ours(const Problem& problem)
      : mechanism(problem.own ? problem.own->mechanism : built_mechanism(problem)),
        start(problem.own ? problem.own->start : built_start(mechanism, problem)),
        places(problem.own ? link_places(*problem.own) : built_places(mechanism, problem)) {}

  Mechanism mechanism;
  State start;
  std::vector<LinkPlace> places;
};

class PolhodeStep final : public StepSubject {
 public:
  PolhodeStep(const Problem& problem, const std::string& method)
      : problem_(problem),
        ours_(problem),
        options_(polhode_options(method, problem.dt)),
        stepper_(study::make_stepper(ours_.mechanism, options_)),
        state_(ours_.start),
        workspace_(ours_.mechanism) {
    stepper_->set(state_);
  }

  const Problem& problem() const override { return problem_; }

  void advance(int steps) override {
    if (!chooses_steps()) return advance_fixed(steps);
    done_ += steps;
    // Nothing but the end of the run limits a step, so that looking at the motion does not disturb it.
    const double end = std::max(problem_.steps * problem_.dt, time());
    while (stepper_->time() < time() - slack()) step(end);
  }

  void observe(std::vector<BodyState>& bodies) override {
    // Beyond the end there is nothing to look at but the end, which rounding may put just before it.
    if (chooses_steps() && done_ > 0 && time() < stepper_->time()) {
      stepper_->interpolate(time(), state_);
    } else {
      stepper_->get(state_);
    }
    tree::realize(state_, workspace_, Stage::velocity);
    for (std::size_t i = 0; i < ours_.places.size(); ++i) {
      const auto& [body, X_BL] = ours_.places[i];
      const Transform<double> X_WL = state_.pose(body) * X_BL;
      const Motion<double>& V_WB = state_.velocity(body);
      const Vec3<double> centre = X_WL * vec3(problem_.links[i].centre);
      bodies[i].centre = triple(centre);
      bodies[i].velocity = triple(V_WB.linear + cross(V_WB.angular, centre - state_.pose(body).p));
      bodies[i].omega = triple(V_WB.angular);
      bodies[i].R = rows_of(X_WL.R);
    }
  }

  double constraint_error() override { return stepper_->constraint_error(); }

  StepCounters counters() const override {
    const StepStatistics& statistics = stepper_->statistics();
    return {statistics.steps, statistics.newton_iterations, statistics.halved};
  }

 private:
  bool chooses_steps() const { return options_.options.has("accuracy"); }
  double time() const { return double(done_) * problem_.dt; }
  double slack() const { return 1e-9 * problem_.dt; }

  void step(double t_limit) {
    const StepReport report = stepper_->step(t_limit);
    if (!report.ok()) throw std::runtime_error(stepper_->explain(report));
  }

  void advance_fixed(int steps) {
    for (int i = 0; i < steps; ++i) {
      ++done_;
      while (stepper_->time() < time()) step(time());
    }
  }

  Problem problem_;
  Ours ours_;
  study::SimulateOptions options_;
  std::unique_ptr<Stepper> stepper_;
  State state_;
  tree::Workspace workspace_;
  long done_ = 0;
};

}  // namespace

std::unique_ptr<StepSubject> make_polhode_step(const Problem& problem, const std::string& method) {
  return std::make_unique<PolhodeStep>(problem, method);
}

std::string polhode_version() { return fmt::format("Polhode {}", version); }

}  // namespace polhode::bench
