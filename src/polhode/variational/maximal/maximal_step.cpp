#include "polhode/variational/maximal/maximal_step.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polhode/variational/maximal/acceptance.h"

namespace polhode::variational {
namespace {

using maximal::Bodies;
using maximal::row_width;

double norm_of(std::span<const double> numbers) {
  return std::sqrt(std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0));
}

/// The larger one, and where it was found; once not a number, for ever.
void keep_largest(double error, int where, double& most, int& worst) {
  if (!(error > most || std::isnan(error))) return;
  most = error;
  worst = where;
}

}  // namespace

MaximalStep::MaximalStep(const Mechanism& mechanism, std::span<const char> enabled, TurnRule rule, double tolerance,
                         double step, std::span<const char> lockable)
    : equations_(mechanism, rule, step, lockable),
      matrix_(maximal::SaddleLayout(equations_.constraints(), maximal::SaddleLayout::Nodes::by_bodies),
              equations_.saddle_bodies()),
      floor_(equations_, tolerance),
      correction_(matrix_.layout().vector_size()) {
  equations_.forces().place_in(matrix_);
  history_.reserve(64);
  if (!enabled.empty()) set_active(enabled);
}

void MaximalStep::set_active(std::span<const char> enabled) {
  equations_.set_active(enabled);
  matrix_.set_active(equations_.constraints());
}

void MaximalStep::set_driven(const State& state) {
  equations_.set_driven(state);
  matrix_.set_active(equations_.constraints());
}

double MaximalStep::kinetic_energy(const Bodies& velocities) const {
  return variational::kinetic_energy(equations_.inertias(), velocities);
}

double MaximalStep::evaluate(const Unknowns& unknowns, MaximalReport& report) {
  const StepEquations::Errors errors = equations_.evaluate(unknowns.size, unknowns.momenta, unknowns.next, unknowns.lambda);
  report.constraint_error = errors.constraints;
  report.motion_error = errors.motion;
  floor_.set_reach(errors.reach);
  return errors.largest;
}

bool MaximalStep::is_met(const MaximalReport& report, double error) const {
  const double tolerance = report.iterations > 0 ? floor_.tolerance() : std::min(floor_.tolerance(), acceptance::good_guess);
  return error <= std::max(tolerance, floor_.rounding());
}

MaximalReport MaximalStep::solve(double h, double share, std::span<double> momenta, Bodies& next, std::span<double> lambda,
                                 Care care) {
  const Unknowns unknowns{{h, share}, momenta, next, lambda, care};
  const bool careful = care == Care::careful;
  const int most_iterations = careful ? acceptance::most_careful_iterations : acceptance::most_iterations;
  MaximalReport report;
  Progress progress{.error = evaluate(unknowns, report), .compliance = careful ? acceptance::first_compliance : 0};
  history_.assign(1, progress.error);
  for (; !is_met(report, progress.error); ++report.iterations) {
    if (!std::isfinite(progress.error)) return failed(report, Verdict::not_finite);
    if (progress.in_full && floor_.only_gaps_are_left(equations_, report.motion_error)) break;
    floor_.remember_errors(equations_);
    const Verdict verdict =
        report.iterations == most_iterations ? stop(unknowns, progress.error) : improve(unknowns, progress, report);
    if (verdict == Verdict::good_enough) break;
    if (verdict != Verdict::go_on) return failed(report, verdict);
  }
  equations_.put_momenta_at_end(momenta);
  return report;
}

/// One correction, or a part of it by which the error falls.
MaximalStep::Verdict MaximalStep::improve(const Unknowns& unknowns, Progress& progress, MaximalReport& report) {
  // Factors that brought the error down from `last` to `error` bring it down by as much again, which may be all it takes.
  const bool old_factors_do = unknowns.care == Care::ordinary && progress.factored &&
                              progress.error * progress.error <= acceptance::of_tolerance * floor_.tolerance() * progress.last;
  if (!find_correction(unknowns, progress.compliance, old_factors_do ? Factors::old_ones : Factors::new_ones))
    return Verdict::not_finite;
  progress.factored = true;
  progress.last = progress.error;
  const double last_motion_error = report.motion_error;
  double fraction = 1;
  correct(1, unknowns);
  progress.error = evaluate(unknowns, report);
  // The line search of Bruedigam & Manchester, section 4.2: a correction is kept only where the error is less than before, or
  // at its floor. Where all that is left of constraints is gaps, which no correction closes, the error is that of motion.
  const auto falls = [&] {
    return progress.error < progress.last || progress.error <= floor_.enough() ||
           (progress.error < acceptance::standing * progress.last &&
            (report.motion_error < last_motion_error || report.motion_error <= floor_.enough()) && floor_.are_gaps(equations_));
  };
  for (int cut = 0; cut < acceptance::most_cuts && !falls(); ++cut) {
    correct(-0.5 * fraction, unknowns);
    fraction *= 0.5;
    progress.error = evaluate(unknowns, report);
  }
  if (falls()) {
    progress.in_full = fraction == 1;
    progress.compliance *= acceptance::next_compliance;
    history_.push_back(progress.error);
    return Verdict::go_on;
  }
  // Not that way: with less compliance, or with factors of this place.
  correct(-fraction, unknowns);
  progress.error = evaluate(unknowns, report);
  if (std::isfinite(progress.error) && progress.compliance == 0 && !old_factors_do) return stop(unknowns, progress.error);
  progress.factored = false;
  if (progress.compliance < acceptance::no_compliance) progress.compliance = 0;
  progress.compliance *= acceptance::next_compliance;
  progress.last = progress.error;
  return Verdict::go_on;
}

/// Where the error gets no smaller: is it rounding?
MaximalStep::Verdict MaximalStep::stop(const Unknowns& unknowns, double error) {
  const double rounding = floor_.of_impulses(equations_, unknowns.size.h, unknowns.momenta, unknowns.lambda);
  return error <= rounding ? Verdict::good_enough : Verdict::no_convergence;
}

bool MaximalStep::find_correction(const Unknowns& unknowns, double compliance, Factors factors) {
  equations_.right_hand_side(matrix_, unknowns.size.h, correction_);
  if (factors == Factors::old_ones) {
    matrix_.solve(correction_);
  } else {
    equations_.fill(matrix_, unknowns.size, unknowns.next);
    if (compliance > 0) matrix_.add_compliances(equations_.jacobian_here(), compliance);
    if (!matrix_.factor_and_solve(correction_)) return false;
  }
  if (sizes_of_corrections_) sizes_of_corrections_->push_back(unknowns.size.h * norm_of(correction_));
  equations_.turn_correction(correction_);
  return true;
}

void MaximalStep::correct(double fraction, const Unknowns& unknowns) const {
  for (std::size_t b = 1; b < unknowns.next.size(); ++b) {
    const double* d = correction_.data() + (b - 1) * row_width;
    unknowns.next[b].w += fraction * angular(d);
    unknowns.next[b].v += fraction * linear_part(d);
  }
  const maximal::SaddleLayout& layout = matrix_.layout();
  for (int i = 0; i < int(layout.rows().size()); ++i)
    unknowns.lambda[std::size_t(layout.rows()[std::size_t(i)])] -= fraction * correction_[layout.place(i)];
}

/// With where the errors of the last evaluation are the largest.
MaximalReport MaximalStep::failed(MaximalReport report, Verdict verdict) const {
  report.status = verdict == Verdict::not_finite ? MaximalReport::Status::not_finite : MaximalReport::Status::no_convergence;
  double most = 0;
  const auto elements = constraints().elements();
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (int i = elements[e].first_row; i < elements[e].first_row + elements[e].num_rows; ++i)
      keep_largest(std::abs(equations_.errors()[std::size_t(i)]), int(e), most, report.worst_element);
  most = 0;
  for (int b = 1; b < constraints().mechanism().num_bodies(); ++b)
    keep_largest(equations_.motion_error_of(b), b, most, report.worst_body);
  return report;
}

void MaximalStep::set_rank_tolerance(double tolerance) {
  rank_tolerance_ = tolerance;
  matrix_.set_rank_tolerance(tolerance);
}

std::optional<int> MaximalStep::count_redundant_rows(double tolerance) {
  matrix_.set_rank_tolerance(tolerance);
  equations_.fill_for_velocities(matrix_);
  if (!matrix_.factor()) return std::nullopt;
  int redundant = matrix_.rank_deficiency();
  for (const auto& element : constraints().elements())
    if (element.active && element.num_sides == 0) redundant += element.num_rows;  // the matrix has no place for them
  return redundant;
}

void MaximalStep::judge_redundant_rows(int rows_without_motion) {
  const std::optional<int> redundant = count_redundant_rows(acceptance::nearly_redundant);
  set_rank_tolerance(redundant >= rows_without_motion ? linear::loose_rank_tolerance : linear::rank_tolerance);
}

void MaximalStep::find_redundant_rows(int rows_without_motion) {
  for (double tolerance = linear::rank_tolerance; tolerance <= linear::most_rank_tolerance; tolerance *= 10)
    if (count_redundant_rows(tolerance) >= rows_without_motion) return set_rank_tolerance(tolerance);
  set_rank_tolerance(linear::rank_tolerance);
}

bool MaximalStep::velocities(std::span<const double> momentum, Bodies& here) {
  equations_.fill_for_velocities(matrix_);
  if (!matrix_.factor()) return false;
  equations_.right_hand_side_for_velocities(matrix_, momentum, correction_);
  matrix_.solve(correction_);
  for (std::size_t b = 1; b < here.size(); ++b) {
    here[b].w = angular(correction_.data() + (b - 1) * row_width);
    here[b].v = linear_part(correction_.data() + (b - 1) * row_width);
  }
  return true;
}

}  // namespace polhode::variational
