#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/projected/maximal_projected.h"
#include "polhode/projected/tableaux.h"

// How maximal-projected chooses its steps, and where it stops.
namespace polhode::projected {
namespace {

using Tableau = DormandPrince54;
constexpr double eps = std::numeric_limits<double>::epsilon();

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
  // A last step that would stop short of the limit by rounding only is stretched to it, one that overshoots is cut.
  const double whole = *options_.fixed_step, left = t_limit - t0_;
  const bool last = left < (1 + 1e-9) * whole;
  const double h = last ? left : whole;
  if (const Outcome outcome = attempt(h, false, false); outcome != Outcome::done) return failed(outcome, h);
  // Invariants that cannot be restored: at rest that is all there is to it. In a step that is far from the motion, whatever it
  // loses would be lost for good.
  if (!restored_) {
    if (const Outcome outcome = arrive(h, true, false); outcome != Outcome::done) return failed(outcome, h);
    if (!(error_ * options_.accuracy <= most_change())) return failed(Outcome::too_long, h);
  }
  accept(h, last ? t_limit : start_ + double(++whole_steps_) * whole);
  if (last) start_ = t_limit, whole_steps_ = 0;
  return {StepReport::Status::done, t1_, h, 0, -1};
}

/// The classical step-size control of the seed: facmax 3, and no growth straight after a rejection.
StepReport MaximalProjected::controlled_step(double t_limit) {
  constexpr double most = 3, least = 0.2, safety = 0.9;
  constexpr int most_gaps_met = 6;
  double h = std::min(next_step_, options_.largest_step);
  double good_but_for_invariants = 0;  // the longest of the steps that were
  int rejections = 0, unrestored = 0;
  for (;;) {
    const double left = t_limit - t0_;
    const bool last = h >= left * (1 - 1e-9);
    const double taken = last ? left : h;
    if ((taken <= 16 * eps * std::max(1.0, std::abs(t0_)) && !last) || pace_.is_stuck())
      return {StepReport::Status::too_small, t1_, taken, error_, -1};
    const Outcome outcome = attempt(taken, true, letting_go_ || rejections >= 2);
    if (outcome == Outcome::no_inertia || (outcome != Outcome::done && taken < 1e-12)) return failed(outcome, taken);
    // Where shorter steps only serve to stay where the rows can still be met, there is no end to them.
    gaps_met_ += outcome == Outcome::off_constraints && parts_->system.redundant_rows() == RedundantRows::exactly &&
                 may_leave_gaps() && parts_->projection.ended_at_gaps();
    if (gaps_met_ >= most_gaps_met) return failed(outcome, taken);
    // A step that is good but for invariants that cannot be restored is tried shorter, and then taken without them; where that
    // happens step after step, at once.
    const bool small_enough = outcome == Outcome::done && error_ <= 1;
    const bool good = small_enough && (restored_ || letting_go_ || unrestored++ >= 2);
    if (small_enough) good_but_for_invariants = std::max(good_but_for_invariants, taken);
    const double by_error = safety * std::pow(std::max(error_, 1e-10), -1.0 / Tableau::error_order);
    const double factor = outcome != Outcome::done || !std::isfinite(error_) ? 0.25
                          : small_enough && !good                            ? 0.5
                                                  : std::clamp(by_error, least, rejections > 0 ? 1.0 : most);
    if (good) {
      // A step cut short by the limit says nothing about a longer one, nor does one cut short in vain.
      next_step_ = last ? std::max(next_step_, taken * factor) : taken * factor;
      letting_go_ = !restored_;
      if (letting_go_) next_step_ = std::max(next_step_, good_but_for_invariants);
      accept(taken, last ? t_limit : t0_ + taken);
      if (!last) pace_.add(taken);
      if (rejections == 0) gaps_met_ = 0;
      return {StepReport::Status::done, t1_, taken, error_, -1};
    }
    h = taken * std::min(factor, 0.9);
    ++rejections;
    ++statistics_.rejected;
  }
}

StepReport MaximalProjected::advance(double t_limit) {
  // What was let go so far is more than anybody can have meant by an energy that is kept.
  if (parts_->invariants.let_go() > most_let_go()) return failed(Outcome::let_go, 0);
  if (const Outcome outcome = begin(); outcome != Outcome::done) return failed(outcome, 0);
  const auto report = options_.fixed_step ? fixed_step(t_limit) : controlled_step(t_limit);
  // Rows that seemed to be redundant, or regular, at the start may miss each other here by the digits they were written with.
  if (report.ok() || last_failure_ != Outcome::off_constraints || !leave_gaps(x0_)) return report;
  restart();
  next_step_ = options_.initial_step;
  gaps_met_ = 0;
  return advance(t_limit);
}

/// The row whose signal makes a velocity jump at t, or -1: an impulse, of which these equations know nothing.
int MaximalProjected::jumping_row(double t) {
  JetSystem& system = parts_->system;
  system.constraints().rates(std::nextafter(t, -std::numeric_limits<double>::infinity()), bodies1_, q1_, rates_before_);
  system.constraints().rates(t, bodies1_, q1_, rates_after_);
  for (int i = 0; i < system.num_rows(); ++i) {
    const std::size_t r = std::size_t(system.rows().rows()[std::size_t(i)]);
    if (std::abs(rates_after_[r] - rates_before_[r]) > 1e-9 * std::max(1.0, std::abs(rates_after_[r]))) return i;
  }
  return -1;
}

StepReport MaximalProjected::step(double t_limit) {
  if (!(t_limit >= t1_)) return {StepReport::Status::limit_passed, t1_, 0, 0, -1};
  if (jump_ >= 0) {
    last_failure_ = Outcome::jump;
    failed_at_ = parts_->system.row_name(jump_);
    return {StepReport::Status::no_convergence, t1_, 0, 0, -1};
  }
  // Where a signal breaks, a step ends and the next one starts afresh: the method's order holds on smooth pieces only.
  const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), t1_);
  const bool to_break = next != breaks_.end() && *next <= t_limit;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  t_most_ = to_break ? std::nextafter(*next, -infinity) : infinity;
  try {
    const StepReport report = advance(to_break ? *next : t_limit);
    if (!report.ok()) t0_ = t1_, restart();
    if (report.ok() && to_break && t1_ == *next) {
      restart();
      jump_ = jumping_row(t1_);
    }
    return report;
  } catch (...) {
    // A user's force element or invariant threw in the middle of a step, of which nothing has been accepted yet.
    t0_ = t1_;
    restart();
    throw;
  }
}

}  // namespace polhode::projected
