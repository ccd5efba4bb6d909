#include <algorithm>
#include <cmath>

#include "polhode/projected/maximal/acceptance.h"
#include "polhode/projected/maximal/maximal_projected.h"
#include "polhode/stepping/step_controllers.h"

// How maximal-projected chooses its steps, and where it stops.
namespace polhode::projected {
StepReport MaximalProjected::failed(Outcome outcome, double h) {
  last_failure_ = outcome;
  const JetSystem& system = parts().system;
  failed_at_ = outcome == Outcome::no_inertia ? mechanism_.bodies()[std::size_t(system.failed_body())].name
               : outcome == Outcome::off_constraints && system.worst_row() >= 0 ? system.row_name(system.worst_row())
                                                                                : std::string();
  const auto status = outcome == Outcome::not_finite || outcome == Outcome::no_inertia ? StepReport::Status::not_finite
                                                                                       : StepReport::Status::no_convergence;
  return {status, t1_, h, outcome == Outcome::too_long ? step_.error() * options_.accuracy : 0, -1};
}

StepReport MaximalProjected::fixed_step(double t_limit) {
  const double whole = *options_.fixed_step;
  const stepping::NextStep next = stepping::StepClock::next(t_limit, t0_, whole);
  const double h = next.h;
  const JetStep::From from = here();
  if (const Outcome outcome = step_.attempt(parts(), from, h, {.solutions = JetAttempt::Solutions::one}, counters_);
      outcome != Outcome::done)
    return failed(outcome, h);
  // Invariants that cannot be restored: at rest that is all there is to it. In a step that is far from the motion, whatever it
  // loses would be lost for good.
  if (!step_.restored()) {
    const Outcome outcome = step_.arrive(parts(), from, h, JetAttempt::Solutions::both, JetStep::Invariants::let_be, counters_);
    if (outcome != Outcome::done) return failed(outcome, h);
    if (!(step_.error() * options_.accuracy <= step_.most_change())) return failed(Outcome::too_long, h);
  }
  accept(h, clock_.pass(next, t_limit, whole));
  return {StepReport::Status::done, t1_, h, 0, -1};
}

StepReport MaximalProjected::controlled_step(double t_limit) {
  using stepping::ErrorControl, stepping::Verdict;
  double good_but_for_invariants = 0;  // the longest of the steps that were
  int unrestored = 0, rejected = 0;
  Outcome outcome = Outcome::done;
  const auto judge = [&](double h, int rejections) -> Verdict {
    rejected = rejections;
    const bool suspect = letting_go_ || rejections >= 2;
    outcome = step_.attempt(parts(), here(), h,
                            {.doubts = suspect ? JetAttempt::Doubts::about_invariants : JetAttempt::Doubts::none}, counters_);
    if (outcome == Outcome::no_inertia || (outcome != Outcome::done && h < acceptance::shortest_step)) return {};
    // Where shorter steps only serve to stay where the rows can still be met, there is no end to them.
    gaps_met_ += met_gaps(outcome);
    if (gaps_met_ >= acceptance::most_gaps_met) return {};
    const double error = step_.error();
    if (outcome != Outcome::done || !std::isfinite(error)) return {Verdict::Kind::reject, 0.25};
    const double factor = stepping::classical_factor(error, JetStep::Tableau::error_order, rejections > 0);
    if (!(error <= 1)) return {Verdict::Kind::reject, std::min(factor, 0.9)};
    if (!step_.turns_are_counted(parts(), here(), h)) return {Verdict::Kind::reject, 0.5};
    // A step that is good but for invariants that cannot be restored is tried shorter, and then taken without them; where that
    // happens step after step, at once. One cut short in vain says nothing about a longer one.
    good_but_for_invariants = std::max(good_but_for_invariants, h);
    const bool restored = step_.restored();
    if (!(restored || letting_go_ || unrestored++ >= acceptance::tries_to_restore)) return {Verdict::Kind::reject, 0.5};
    return {Verdict::Kind::accept, factor, restored ? 0 : good_but_for_invariants};
  };
  const ErrorControl::Found found = control_.find(t0_, t_limit, options_.largest_step, statistics_.rejected, judge);
  const double h = found.step.h;
  if (found.outcome == ErrorControl::Outcome::failed) return failed(outcome, h);
  if (found.outcome == ErrorControl::Outcome::too_small) return {StepReport::Status::too_small, t1_, h, step_.error(), -1};
  letting_go_ = !step_.restored();
  if (rejected == 0) gaps_met_ = 0;
  accept(h, found.t_end(t0_, t_limit));
  return {StepReport::Status::done, t1_, h, step_.error(), -1};
}

bool MaximalProjected::met_gaps(Outcome outcome) const {
  return outcome == Outcome::off_constraints && parts().system.redundant_rows() == RedundantRows::exactly &&
         start_.may_leave_gaps(parts()) && parts().projection.ended_at_gaps();
}

StepReport MaximalProjected::advance(double t_limit) {
  // What was let go so far is more than anybody can have meant by an energy that is kept.
  if (parts().invariants.let_go() > most_let_go()) return failed(Outcome::let_go, 0);
  if (const Outcome outcome = begin(); outcome != Outcome::done) return failed(outcome, 0);
  const StepReport report = options_.fixed_step ? fixed_step(t_limit) : controlled_step(t_limit);
  statistics_.evaluations = counters_.distributions;
  // Rows that seemed to be redundant, or regular, at the start may miss each other here by the digits they were written with.
  if (report.ok() || last_failure_ != Outcome::off_constraints || !start_.leave_gaps(parts(), t1_, step_.start(), counters_))
    return report;
  restart();
  control_.start(options_.initial_step);
  gaps_met_ = 0;
  return advance(t_limit);
}

StepReport MaximalProjected::refuse_jump(int row) {
  last_failure_ = Outcome::jump;
  failed_at_ = parts().system.row_name(row);
  return {StepReport::Status::no_convergence, t1_, 0, 0, -1};
}

}  // namespace polhode::projected
