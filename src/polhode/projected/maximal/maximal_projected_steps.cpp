#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/projected/maximal/maximal_projected.h"
#include "polhode/projected/tableaux.h"
#include "polhode/stepping/step_controllers.h"

// How maximal-projected chooses its steps, and where it stops.
namespace polhode::projected {
namespace {

using Tableau = DormandPrince54;

}  // namespace

StepReport MaximalProjected::failed(Outcome outcome, double h) {
  last_failure_ = outcome;
  const JetSystem& system = parts_->system;
  failed_at_ = outcome == Outcome::no_inertia ? mechanism_.bodies()[std::size_t(system.failed_body())].name
               : outcome == Outcome::off_constraints && system.worst_row() >= 0 ? system.row_name(system.worst_row())
                                                                                : std::string();
  const auto status = outcome == Outcome::not_finite || outcome == Outcome::no_inertia ? StepReport::Status::not_finite
                                                                                       : StepReport::Status::no_convergence;
  return {status, t1_, h, outcome == Outcome::too_long ? error_ * options_.accuracy : 0, -1};
}

StepReport MaximalProjected::fixed_step(double t_limit) {
  const double whole = *options_.fixed_step;
  const stepping::NextStep next = stepping::StepClock::next(t_limit, t0_, whole);
  const double h = next.h;
  if (const Outcome outcome = attempt(h, false, false); outcome != Outcome::done) return failed(outcome, h);
  // Invariants that cannot be restored: at rest that is all there is to it. In a step that is far from the motion, whatever it
  // loses would be lost for good.
  if (!restored_) {
    if (const Outcome outcome = arrive(h, true, false); outcome != Outcome::done) return failed(outcome, h);
    if (!(error_ * options_.accuracy <= most_change())) return failed(Outcome::too_long, h);
  }
  accept(h, clock_.pass(next, t_limit, whole));
  return {StepReport::Status::done, t1_, h, 0, -1};
}

StepReport MaximalProjected::controlled_step(double t_limit) {
  using stepping::ErrorControl, stepping::Verdict;
  constexpr int most_gaps_met = 6;
  double good_but_for_invariants = 0;  // the longest of the steps that were
  int unrestored = 0, rejected = 0;
  Outcome outcome = Outcome::done;
  const auto judge = [&](double h, int rejections) -> Verdict {
    rejected = rejections;
    outcome = attempt(h, true, letting_go_ || rejections >= 2);
    if (outcome == Outcome::no_inertia || (outcome != Outcome::done && h < 1e-12)) return {};
    // Where shorter steps only serve to stay where the rows can still be met, there is no end to them.
    gaps_met_ += outcome == Outcome::off_constraints && parts_->system.redundant_rows() == RedundantRows::exactly &&
                 may_leave_gaps() && parts_->projection.ended_at_gaps();
    if (gaps_met_ >= most_gaps_met) return {};
    if (outcome != Outcome::done || !std::isfinite(error_)) return {Verdict::Kind::reject, 0.25};
    const double factor = stepping::classical_factor(error_, Tableau::error_order, rejections > 0);
    if (!(error_ <= 1)) return {Verdict::Kind::reject, std::min(factor, 0.9)};
    // A step that is good but for invariants that cannot be restored is tried shorter, and then taken without them; where that
    // happens step after step, at once. One cut short in vain says nothing about a longer one.
    good_but_for_invariants = std::max(good_but_for_invariants, h);
    if (!(restored_ || letting_go_ || unrestored++ >= 2)) return {Verdict::Kind::reject, 0.5};
    return {Verdict::Kind::accept, factor, restored_ ? 0 : good_but_for_invariants};
  };
  const ErrorControl::Found found = control_.find(t0_, t_limit, options_.largest_step, statistics_.rejected, judge);
  const double h = found.step.h;
  if (found.outcome == ErrorControl::Outcome::failed) return failed(outcome, h);
  if (found.outcome == ErrorControl::Outcome::too_small) return {StepReport::Status::too_small, t1_, h, error_, -1};
  letting_go_ = !restored_;
  if (rejected == 0) gaps_met_ = 0;
  accept(h, found.t_end(t0_, t_limit));
  return {StepReport::Status::done, t1_, h, error_, -1};
}

StepReport MaximalProjected::advance(double t_limit) {
  // What was let go so far is more than anybody can have meant by an energy that is kept.
  if (parts_->invariants.let_go() > most_let_go()) return failed(Outcome::let_go, 0);
  if (const Outcome outcome = begin(); outcome != Outcome::done) return failed(outcome, 0);
  const StepReport report = options_.fixed_step ? fixed_step(t_limit) : controlled_step(t_limit);
  // Rows that seemed to be redundant, or regular, at the start may miss each other here by the digits they were written with.
  if (report.ok() || last_failure_ != Outcome::off_constraints || !leave_gaps(x0_)) return report;
  restart();
  control_.start(options_.initial_step);
  gaps_met_ = 0;
  return advance(t_limit);
}

int MaximalProjected::find_jump() {
  JetSystem& system = parts_->system;
  system.constraints().rates(std::nextafter(t1_, -std::numeric_limits<double>::infinity()), bodies1_, q1_, rates_before_);
  system.constraints().rates(t1_, bodies1_, q1_, rates_after_);
  for (int i = 0; i < system.num_rows(); ++i) {
    const std::size_t r = std::size_t(system.rows().rows()[std::size_t(i)]);
    if (std::abs(rates_after_[r] - rates_before_[r]) > 1e-9 * std::max(1.0, std::abs(rates_after_[r]))) return i;
  }
  return -1;
}

StepReport MaximalProjected::refuse_jump(int row) {
  last_failure_ = Outcome::jump;
  failed_at_ = parts_->system.row_name(row);
  return {StepReport::Status::no_convergence, t1_, 0, 0, -1};
}

}  // namespace polhode::projected
