#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/projected/maximal/maximal_projected.h"
#include "polhode/projected/maximal/singular_force.h"
#include "polhode/stepping/texts.h"

// What maximal-projected says of itself: options, counters, errors, failures.
namespace polhode::projected {

ResolvedOptions MaximalProjected::resolved_options() const {
  std::vector<std::string> not_in_force;
  if (options_.fixed_step) not_in_force = {"accuracy", "largest step"};
  ResolvedOptions options = maximal_projected_options().resolved(options_, not_in_force);
  std::string kept;
  const JetInvariants& invariants = parts().invariants;
  const int listed = std::min(invariants.count(), invariants.count_without_momenta() + 1);  // momenta share a name
  for (int i = 0; i < listed; ++i) kept += (i > 0 ? ", " : "") + invariants.name(i);
  for (ResolvedOption& option : options)
    if (option.name == "invariant") option.value = kept.empty() ? "none" : kept;
  options.insert(options.end() - 1, {"formulation", is_planar() ? "planar" : "spatial"});
  return options;
}

double MaximalProjected::position_error() const {
  Vector h(std::size_t(parts().system.constraints().num_rows()));
  parts().system.constraints().errors(t1_, bodies1_, q1_, h);
  double largest = 0;
  for (const double error : h) largest = std::max(largest, std::abs(error));
  return largest;
}

double MaximalProjected::velocity_error() const {
  maximal::Constraints& constraints = parts().system.constraints();
  Vector h(std::size_t(constraints.num_rows())), values(std::size_t(constraints.num_values())), rates(h), moved(h);
  constraints.errors_and_jacobian(t1_, bodies1_, q1_, h, values);
  constraints.rates(t1_, bodies1_, q1_, rates);
  constraints.multiply(values, bodies1_, moved);
  double largest = 0;
  for (std::size_t i = 0; i < h.size(); ++i) largest = std::max(largest, std::abs(moved[i] + rates[i]));
  return largest;
}

std::vector<Counter> MaximalProjected::counters() const {
  const JetCounters& c = counters_;
  return {{"distributions", c.distributions, "accelerations that were computed"},
          {"projections", c.projections, "points that were brought onto the constraints"},
          {"Newton iterations", c.newton_iterations, "of all projections together"},
          {"most in a projection", c.newton_most, "Newton iterations of the longest one"},
          {"constraint differentials", c.jacobians, "how often the constraints were linearised"},
          {"invariant differentials", c.invariant_gradients, "how often the invariants were"},
          {"invariants let go", c.invariants_let_go, "steps that could not restore the invariants"}};
}

std::string MaximalProjected::explain(const StepReport& report) const {
  switch (report.status) {
    case StepReport::Status::not_finite:
      if (last_failure_ == Outcome::no_inertia)
        return fmt::format(
            "t = {:.9g} s: body \"{}\" can move in a way that has no inertia, and nothing holds it; give it mass and inertia, "
            "or weld it to a body that has both",
            report.t, failed_at_);
      return stepping::explain_not_finite(report.t, "", options_.fixed_step);
    case StepReport::Status::too_small: {
      const std::string singular = singular_force(mechanism_, bodies1_, bodies_at_start_);
      if (!singular.empty())
        return fmt::format("t = {:.9g} s: {}; steps of {:.3g} s would be too long for accuracy {:g}. Keep its ends apart",
                           report.t, singular, report.h, options_.accuracy);
      return stepping::explain_too_small(report, options_.accuracy, "", "the mechanism at a singular place");
    }
    case StepReport::Status::limit_passed: return stepping::explain_limit_passed(report.t);
    case StepReport::Status::no_convergence:
      if (last_failure_ == Outcome::jump) return stepping::explain_jump(report.t, failed_at_, "a velocity", method_name);
      if (last_failure_ == Outcome::flat_wheel) return explain_flat_wheel(report.t, step_.wheel_name(), options_.fixed_step);
      if (last_failure_ == Outcome::let_go)
        return fmt::format(
            "t = {:.9g} s: the {} cannot be restored any more: {:.2g} of it has been let go, where {:.2g} is allowed. Is the "
            "mechanism at a singular place? Try a smaller accuracy, or invariant = none, which imposes nothing",
            report.t, parts().invariants.name(0), parts().invariants.let_go(), most_let_go());
      if (last_failure_ == Outcome::too_long)
        return fmt::format(
            "t = {:.9g} s: a step of {:.3g} s is too long for the motion: its error is about {:.2g} of positions and "
            "velocities, "
            "and the {} cannot be restored after it. Try dt = {:.3g} s, or an accuracy in its place",
            report.t, report.h, report.error, parts().invariants.name(0), *options_.fixed_step / 4);
      if (report.h == 0)
        return fmt::format(
            "t = {:.9g} s: the state there does not meet the constraints, and no state nearby meets them to {:g}{}", report.t,
            options_.tolerance, failed_at_.empty() ? "" : "; largest in " + failed_at_);
      return fmt::format("t = {:.9g} s: the constraints cannot be met to {:g} in a step of {:.3g} s{}{}", report.t,
                         options_.tolerance, report.h, failed_at_.empty() ? "" : "; largest in " + failed_at_,
                         stepping::or_shorter(options_.fixed_step));
    case StepReport::Status::done: break;
  }
  return "done";
}

}  // namespace polhode::projected
