#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "polhode/projected/maximal/maximal_projected.h"
#include "polhode/projected/maximal/singular_force.h"
#include "polhode/stepping/texts.h"

// What maximal-projected says of itself: options, counters, errors, failures.
namespace polhode::projected {

void validate(const MaximalProjectedOptions& o) {
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  if (o.fixed_step && !positive(*o.fixed_step))
    throw std::invalid_argument(fmt::format("step {} s must be a positive number", *o.fixed_step));
  if (!(o.accuracy >= 1e-15 && o.accuracy <= 1))
    throw std::invalid_argument(fmt::format("accuracy {} must be between 1e-15 and 1, e.g. 1e-6", o.accuracy));
  if (!positive(o.largest_step))
    throw std::invalid_argument(fmt::format("largest step {} s must be a positive number", o.largest_step));
  if (!positive(o.initial_step))
    throw std::invalid_argument(fmt::format("initial step {} s must be a positive number", o.initial_step));
  if (!positive(o.tolerance) || o.tolerance > 1)
    throw std::invalid_argument(fmt::format("constraint tolerance {} must be between 0 and 1, e.g. 1e-10", o.tolerance));
  constexpr int most = JetInvariants::most - 7;  // energy and momenta
  if (int(o.invariants.size()) > most)
    throw std::invalid_argument(fmt::format("{} invariants were given; at most {} can be kept", o.invariants.size(), most));
  for (const Invariant& invariant : o.invariants)
    if (!invariant.value) throw std::invalid_argument(fmt::format("invariant \"{}\" has no value", invariant.name));
}

std::vector<std::pair<std::string, std::string>> MaximalProjected::resolved_options() const {
  std::vector<std::pair<std::string, std::string>> options;
  if (options_.fixed_step) {
    options.emplace_back("dt", fmt::format("{}", *options_.fixed_step));
  } else {
    options.emplace_back("accuracy", fmt::format("{}", options_.accuracy));
    options.emplace_back("largest step", fmt::format("{}", options_.largest_step));
  }
  options.emplace_back("projection", options_.projection == JetProjection::Kind::quasi ? "quasi" : "orthogonal");
  std::string kept;
  const JetInvariants& invariants = parts_->invariants;
  const int listed = std::min(invariants.count(), invariants.count_without_momenta() + 1);  // momenta share a name
  for (int i = 0; i < listed; ++i) kept += (i > 0 ? ", " : "") + invariants.name(i);
  options.emplace_back("invariant", kept.empty() ? "none" : kept);
  options.emplace_back("formulation", is_planar() ? "planar" : "spatial");
  options.emplace_back("constraint tolerance", fmt::format("{:g}", options_.tolerance));
  return options;
}

double MaximalProjected::position_error() const {
  Vector h(std::size_t(parts_->system.constraints().num_rows()));
  parts_->system.constraints().errors(t1_, bodies1_, q1_, h);
  double largest = 0;
  for (const double error : h) largest = std::max(largest, std::abs(error));
  return largest;
}

double MaximalProjected::velocity_error() const {
  maximal::Constraints& constraints = parts_->system.constraints();
  Vector h(std::size_t(constraints.num_rows())), values(std::size_t(constraints.num_values())), rates(h), moved(h);
  constraints.errors_and_jacobian(t1_, bodies1_, q1_, h, values);
  constraints.rates(t1_, bodies1_, q1_, rates);
  constraints.multiply(values, bodies1_, moved);
  double largest = 0;
  for (std::size_t i = 0; i < h.size(); ++i) largest = std::max(largest, std::abs(moved[i] + rates[i]));
  return largest;
}

std::vector<std::pair<std::string, double>> MaximalProjected::counter_list() const {
  const JetCounters& c = counters_;
  return {{"distributions", double(c.distributions)},         {"projections", double(c.projections)},
          {"Newton iterations", double(c.newton_iterations)}, {"most in a projection", double(c.newton_most)},
          {"constraint differentials", double(c.jacobians)},  {"invariant differentials", double(c.invariant_gradients)},
          {"invariants let go", double(c.invariants_let_go)}};
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
      if (last_failure_ == Outcome::flat_wheel) return explain_flat_wheel(report.t, wheels_.name(), options_.fixed_step);
      if (last_failure_ == Outcome::let_go)
        return fmt::format(
            "t = {:.9g} s: the {} cannot be restored any more: {:.2g} of it has been let go, where {:.2g} is allowed. Is the "
            "mechanism at a singular place? Try a smaller accuracy, or invariant = none, which imposes nothing",
            report.t, parts_->invariants.name(0), parts_->invariants.let_go(), most_let_go());
      if (last_failure_ == Outcome::too_long)
        return fmt::format(
            "t = {:.9g} s: a step of {:.3g} s is too long for the motion: its error is about {:.2g} of positions and "
            "velocities, "
            "and the {} cannot be restored after it. Try dt = {:.3g} s, or an accuracy in its place",
            report.t, report.h, report.error, parts_->invariants.name(0), *options_.fixed_step / 4);
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
