#include "polhode/variational/maximal/maximal_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "polhode/mechanism/body_size.h"
#include "polhode/tree/constraints.h"
#include "polhode/variational/maximal/six_vector.h"

namespace polhode::variational {
namespace {

using maximal::Bodies;
using maximal::row_width;

bool lacks_inertia(const MassProperties& mass) { return structure(mass) != MassStructure::rigid; }

bool holds_velocities(const maximal::Constraints::Element& element) { return element.active && element.num_velocity_rows > 0; }

double typical_mass(const Mechanism& mechanism) {
  double sum = 0;
  int count = 0;
  for (const Body& body : mechanism.bodies())
    if (body.mass.mass > 0) sum += body.mass.mass, ++count;
  return count > 0 ? sum / count : 1;
}

/// A sum, so that what is not a number stays so.
double size_of(const Vec3<double>& a) { return std::abs(a.x) + std::abs(a.y) + std::abs(a.z); }

double norm_of(std::span<const double> numbers) {
  return std::sqrt(std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0));
}

/// The larger one, and where it was found; once not a number, for ever.
void keep_largest(double error, int where, double& most, int& worst) {
  if (error > most || std::isnan(error)) most = error, worst = where;
}

}  // namespace

std::vector<MaximalStep::Inertia> MaximalStep::inertias_of(const Mechanism& mechanism, double weight) {
  std::vector<Inertia> inertias;
  for (const Body& body : mechanism.bodies()) {
    const Mat3<double> J = body.mass.inertia.full();
    const double turning = std::max({J(0, 0), J(1, 1), J(2, 2)});
    // Errors are judged as displacements. Of bodies that weigh next to nothing they would be rounding of the forces on them.
    inertias.push_back({J, body.mass.mass, 1 / (turning > 0 ? std::max(turning, 1e-9 * weight) : weight),
                        1 / (body.mass.mass > 0 ? std::max(body.mass.mass, 1e-6 * weight) : weight)});
  }
  return inertias;
}

maximal::SaddleBodies MaximalStep::saddle_bodies() const {
  maximal::SaddleBodies bodies{.weight = weight_};
  for (std::size_t b = 1; b < inertias_.size(); ++b) {
    bodies.singular.push_back(lacks_inertia(mechanism_.bodies()[b].mass));
    const double turning = 1 / inertias_[b].per_rotation, mass = 1 / inertias_[b].per_shift;
    bodies.resistance.insert(bodies.resistance.end(), {turning, turning, turning, mass, mass, mass, 0, 0});
  }
  for (const auto& strut : struts_.sides())
    if (strut.a > 0 && strut.b > 0) bodies.couplings.emplace_back(strut.a, strut.b);
  return bodies;
}

MaximalStep::MaximalStep(const Mechanism& mechanism, std::span<const char> enabled, TurnRule rule, double tolerance,
                         double step)
    : mechanism_(mechanism),
      constraints_(mechanism),
      forces_(mechanism),
      struts_(mechanism),
      weight_(typical_mass(mechanism)),
      inertias_(inertias_of(mechanism, weight_)),
      matrix_(maximal::SaddleLayout(constraints_, maximal::SaddleLayout::Nodes::by_bodies), saddle_bodies()),
      rule_(rule),
      tolerance_(tolerance) {
  const std::size_t bodies = std::size_t(mechanism.num_bodies()), rows = std::size_t(constraints_.num_rows());
  for (int i = 0; i < struts_.size(); ++i) {
    const int body[] = {struts_.sides()[std::size_t(i)].a, struts_.sides()[std::size_t(i)].b};
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b)
        if (body[a] > 0 && body[b] > 0)
          strut_blocks_.push_back({i, a, b, body[a], body[b], matrix_.coupling(body[a], body[b])});
  }
  strut_rows_.resize(std::size_t(2 * row_width * struts_.size())), stiffness_.resize(std::size_t(struts_.size()));
  half_turns_.resize(bodies), loads_at_middle_.resize(bodies * row_width);
  here_.resize(bodies), middle_.resize(bodies), moving_.resize(bodies);
  loads_.resize(bodies * row_width);
  near_.resize(std::size_t(mechanism.num_q()));
  for (auto* values : {&values_here_, &values_next_}) values->resize(std::size_t(constraints_.num_values()));
  errors_.resize(rows), last_errors_.resize(rows);
  body_size_ = largest_body(mechanism);
  impulse_sizes_.resize(2 * bodies);
  const auto elements = constraints_.elements();
  has_velocity_rows_ = std::any_of(elements.begin(), elements.end(), holds_velocities);
  if (has_velocity_rows_) {
    values_middle_.resize(std::size_t(constraints_.num_values()));
    for (auto* row : {&middle_errors_, &rates_, &products_}) row->resize(rows);
  }
  residual_.resize(bodies * row_width), impulses_.resize(bodies * row_width);
  turns_.resize(bodies);
  correction_.resize(matrix_.layout().vector_size());
  history_.reserve(64);
  forces_at_middle_ = has_stiff_springs(step);
  if (!enabled.empty()) set_active(enabled);
}

void MaximalStep::set_active(std::span<const char> enabled) {
  constraints_.set_active(enabled);
  matrix_.set_active(constraints_);
  const auto elements = constraints_.elements();
  has_velocity_rows_ = std::any_of(elements.begin(), elements.end(), holds_velocities);
}

void MaximalStep::start(double t, const Bodies& here, std::span<const double> near) {
  t_ = t;
  std::copy(here.begin(), here.end(), here_.begin());
  std::copy(near.begin(), near.end(), near_.begin());
  constraints_.errors_and_jacobian(t, here_, near_, errors_, values_here_);
  evaluate_loads(here_);
}

/// What the bodies have after the impulses here: momenta + share h F + G^T lambda.
void MaximalStep::add_impulses(double h, double share, std::span<const double> momenta, std::span<const double> lambda) {
  for (std::size_t i = 0; i < impulses_.size(); ++i) impulses_[i] = momenta[i] + share * h * loads_[i];
  for (const auto& element : constraints_.elements())
    for (const auto& side : constraints_.sides(element)) {
      const double* row = values_here_.data() + side.first_value;
      double* on_body = impulses_.data() + std::size_t(side.body) * row_width;
      double sum[6] = {};
      for (int i = 0; i < element.num_rows; ++i, row += row_width) {
        const double load = lambda[std::size_t(element.first_row + i)];
        for (int k = 0; k < 6; ++k) sum[k] += load * row[k];
      }
      for (int k = 0; k < 6; ++k) on_body[k] += sum[k];
    }
}

/// Fills the far end from the velocities there, and all residuals. Gives the larger of the two errors.
double MaximalStep::evaluate(double h, double share, std::span<const double> momenta, Bodies& next,
                             std::span<const double> lambda, MaximalReport& report) {
  for (std::size_t b = 1; b < next.size(); ++b) turns_[b] = turn(rule_, h, next[b].w);
  if (forces_at_middle_)
    evaluate_loads_at_middle(h, next);
  else if (forces_.depend_on_velocity())
    evaluate_loads(next);
  add_impulses(h, share, momenta, lambda);
  const int bodies = mechanism_.num_bodies();
  for (int b = 1; b < bodies; ++b) {
    maximal::BodyMotion& to = next[std::size_t(b)];
    const maximal::BodyMotion& from = here_[std::size_t(b)];
    const Inertia& inertia = inertias_[std::size_t(b)];
    const Turn& by = turns_[std::size_t(b)];
    to.r = turned(from.r, by);
    to.x = from.x + h * to.v;
    const double* has = impulses_.data() + std::size_t(b) * row_width;
    put(residual_.data() + std::size_t(b) * row_width, momentum_at_start(inertia.J, to.w, by) - angular(has),
        inertia.mass * to.v - linear_part(has));
  }
  constraints_.errors_and_jacobian(t_ + h, next, near_, errors_, values_next_);
  if (has_velocity_rows_) evaluate_velocity_rows(h, next);

  double constraint_error = 0, motion_error = 0, reach = 0, sum = 0;  // here, for a report may be anywhere in memory
  for (const double error : errors_) {
    constraint_error = std::max(std::abs(error), constraint_error);
    sum += std::abs(error);
  }
  for (int b = 1; b < bodies; ++b) {
    const double error = motion_error_of(b);
    motion_error = std::max(error, motion_error);
    sum += error;
    reach = std::max(reach, size_of(next[std::size_t(b)].x));
  }
  motion_error *= std::abs(h);
  report.constraint_error = constraint_error, report.motion_error = motion_error;
  rounding_ = 1e-15 * reach;
  return std::isfinite(sum) ? std::max(constraint_error, motion_error) : sum;  // once not a number, for ever
}

/// What is left of a body's equation of motion, as a displacement over the time of a step.
double MaximalStep::motion_error_of(int body) const {
  const double* r = residual_.data() + std::size_t(body) * row_width;
  const Inertia& inertia = inertias_[std::size_t(body)];
  return inertia.per_rotation * size_of(angular(r)) + inertia.per_shift * size_of(linear_part(r));
}

/// What rounding leaves of the equations of motion, as a displacement over the step: of impulses that cancel, as those on a
/// light body between heavy ones do.
double MaximalStep::rounding_of_impulses(double h, std::span<const double> momenta, std::span<const double> lambda) const {
  constexpr double units = 4 * std::numeric_limits<double>::epsilon();
  std::vector<double>& sums = impulse_sizes_;  // by body, angular and linear
  for (std::size_t b = 1; b < inertias_.size(); ++b) {
    const double* const p = momenta.data() + b * row_width;
    sums[2 * b] = size_of(angular(p)), sums[2 * b + 1] = size_of(linear_part(p));
  }
  for (const auto& element : constraints_.elements())
    for (const auto& side : constraints_.sides(element))
      for (int i = 0; i < element.num_rows; ++i) {
        const double* const row = values_here_.data() + side.first_value + i * row_width;
        const double load = std::abs(lambda[std::size_t(element.first_row + i)]);
        sums[2 * std::size_t(side.body)] += load * size_of(angular(row));
        sums[2 * std::size_t(side.body) + 1] += load * size_of(linear_part(row));
      }
  double largest = 0;
  for (std::size_t b = 1; b < inertias_.size(); ++b)
    largest = std::max(largest, inertias_[b].per_rotation * sums[2 * b] + inertias_[b].per_shift * sums[2 * b + 1]);
  return units * std::abs(h) * largest;
}

/// Rows that depend on each other may miss being met together by the digits that they were written with (as tree::Constraints
/// has it). Are all errors of constraints as small as that?
bool MaximalStep::are_gaps() const {
  const double enough = std::max(tolerance_, rounding_);
  for (const auto& element : constraints_.elements())
    for (int i = 0; i < element.num_rows; ++i) {
      double size = 0;
      for (const auto& side : constraints_.sides(element)) {
        const double* const row = values_next_.data() + side.first_value + i * row_width;
        size = std::max({size, size_of(angular(row)), size_of(linear_part(row)) * body_size_});
      }
      if (!(std::abs(errors_[std::size_t(element.first_row + i)]) <= std::max(enough, tree::Constraints::gap * size)))
        return false;
    }
  return true;
}

/// Has the last correction, which was taken in full, left nothing but gaps, as they were?
bool MaximalStep::only_gaps_are_left(const MaximalReport& report) const {
  const double enough = std::max(tolerance_, rounding_);
  if (errors_.empty() || !(report.motion_error <= enough)) return false;
  for (std::size_t i = 0; i < errors_.size(); ++i)
    if (!(std::abs(errors_[i] - last_errors_[i]) <= enough)) return false;
  return are_gaps();
}

/// Where the errors of the last evaluation are the largest.
void MaximalStep::find_worst(MaximalReport& report) const {
  double most = 0;
  const auto elements = constraints_.elements();
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (int i = elements[e].first_row; i < elements[e].first_row + elements[e].num_rows; ++i)
      keep_largest(std::abs(errors_[std::size_t(i)]), int(e), most, report.worst_element);
  most = 0;
  for (int b = 1; b < mechanism_.num_bodies(); ++b) keep_largest(motion_error_of(b), b, most, report.worst_body);
}

/// Rows that hold velocities: those of the step, with the derivatives at its middle. As displacements over the step.
void MaximalStep::evaluate_velocity_rows(double h, const Bodies& next) {
  for (std::size_t b = 1; b < next.size(); ++b) {
    middle_[b].r = half_turned(here_[b].r, turns_[b]);
    middle_[b].x = 0.5 * (here_[b].x + next[b].x);
    middle_[b].w = next[b].w, middle_[b].v = next[b].v;
  }
  constraints_.errors_and_jacobian(t_ + 0.5 * h, middle_, near_, middle_errors_, values_middle_);
  constraints_.rates(t_ + 0.5 * h, middle_, near_, rates_);
  constraints_.multiply(values_middle_, middle_, products_);
  for (const auto& element : constraints_.elements()) {
    if (element.num_velocity_rows == 0) continue;
    const int first = element.num_rows - element.num_velocity_rows;
    for (int i = first; i < element.num_rows; ++i) {
      const std::size_t row = std::size_t(element.first_row + i);
      errors_[row] = h * (products_[row] + rates_[row]);
    }
    for (const auto& side : constraints_.sides(element)) {
      const std::size_t from = std::size_t(side.first_value + first * row_width);
      std::copy_n(values_middle_.begin() + long(from), element.num_velocity_rows * row_width,
                  values_next_.begin() + long(from));
    }
  }
}

/// Turns the displacements that the matrix gives into changes of velocities, by T where the last evaluation was.
void MaximalStep::turn_correction() {
  for (std::size_t b = 1; b < std::size_t(mechanism_.num_bodies()); ++b) {
    double* d = correction_.data() + (b - 1) * row_width;
    const Vec3<double> change = times_T(turns_[b], angular(d));
    d[0] = change.x, d[1] = change.y, d[2] = change.z;
  }
}

void MaximalStep::correct(double fraction, Bodies& next, std::span<double> lambda) const {
  const std::size_t bodies = std::size_t(mechanism_.num_bodies());
  for (std::size_t b = 1; b < bodies; ++b) {
    const double* d = correction_.data() + (b - 1) * row_width;
    next[b].w += fraction * angular(d);
    next[b].v += fraction * linear_part(d);
  }
  const maximal::SaddleLayout& layout = matrix_.layout();
  for (int i = 0; i < int(layout.rows().size()); ++i)
    lambda[std::size_t(layout.rows()[std::size_t(i)])] -= fraction * correction_[layout.place(i)];
}

MaximalReport MaximalStep::solve(double h, double share, std::span<double> momenta, Bodies& next, std::span<double> lambda,
                                 bool careful) {
  const int most_iterations = careful ? 40 : 12;
  constexpr int most_cuts = 6;
  // A guess is taken as it is only when it is as good as one that was corrected: the error left by a loose tolerance would add
  // up from guess to guess.
  constexpr double good_guess = 1e-10;
  double compliance = careful ? 0.1 : 0;
  MaximalReport report;
  history_.clear();
  double error = evaluate(h, share, momenta, next, lambda, report), last = 0;
  history_.push_back(error);
  bool factored = false, in_full = false;
  const auto failed = [&](MaximalReport::Status why) {
    report.status = why;
    find_worst(report);
    return report;
  };
  const auto met = [&] {
    const double tolerance = report.iterations > 0 ? tolerance_ : std::min(tolerance_, good_guess);
    return error <= std::max(tolerance, rounding_);
  };
  for (; !met(); ++report.iterations) {
    if (!std::isfinite(error)) return failed(MaximalReport::Status::not_finite);
    if (in_full && only_gaps_are_left(report)) break;
    std::copy(errors_.begin(), errors_.end(), last_errors_.begin());
    if (report.iterations == most_iterations) {
      if (error <= rounding_of_impulses(h, momenta, lambda)) break;
      return failed(MaximalReport::Status::no_convergence);
    }
    // Factors that brought the error down from `last` to `error` bring it down by as much again, which may be all it takes.
    const bool old_factors_do = !careful && factored && error * error <= 0.1 * tolerance_ * last;
    right_hand_side(h);
    if (old_factors_do) {
      matrix_.solve(correction_);
    } else {
      fill_matrix(h, share, next, compliance);
      if (!matrix_.factor_and_solve(correction_)) return failed(MaximalReport::Status::not_finite);
    }
    factored = true;
    if (sizes_of_corrections_) sizes_of_corrections_->push_back(h * norm_of(correction_));
    turn_correction();
    last = error;
    const double last_motion_error = report.motion_error;
    double fraction = 1;
    correct(1, next, lambda);
    error = evaluate(h, share, momenta, next, lambda, report);
    // Where gaps are the largest errors, they stand still while all else falls.
    const auto falls = [&] {
      const double enough = std::max(tolerance_, rounding_);
      return error < last || error <= enough ||
             (error < 1.01 * last && report.motion_error <= std::max(last_motion_error, enough) && are_gaps());
    };
    for (int cut = 0; cut < most_cuts && !falls(); ++cut) {
      correct(-0.5 * fraction, next, lambda);
      fraction *= 0.5;
      error = evaluate(h, share, momenta, next, lambda, report);
    }
    if (!falls()) {
      // Not that way: with less compliance, or with factors of this place.
      correct(-fraction, next, lambda);
      error = evaluate(h, share, momenta, next, lambda, report);
      if (std::isfinite(error) && compliance == 0 && !old_factors_do) {
        if (error <= rounding_of_impulses(h, momenta, lambda)) break;
        return failed(MaximalReport::Status::no_convergence);
      }
      factored = false;
      if (compliance < 1e-6) compliance = 0;
      compliance *= 0.3;
      last = error;
      continue;
    }
    in_full = fraction == 1;
    compliance *= 0.3;
    history_.push_back(error);
  }
  // What the bodies have at the end: the impulses they got, turned into their axes there. Newton's remaining error is in the
  // velocities, not in the momenta.
  for (std::size_t b = 1; b < next.size(); ++b) {
    const double* sum = impulses_.data() + b * row_width;
    put(momenta.data() + b * row_width, in_axes_at_end(turns_[b], angular(sum)), linear_part(sum));
  }
  return report;
}

void MaximalStep::accept(double t, const Bodies& next, std::span<const double> near) {
  if (has_velocity_rows_) return start(t, next, near);  // values_next_ has the middle's of some rows
  t_ = t;
  std::copy(next.begin(), next.end(), here_.begin());
  std::copy(near.begin(), near.end(), near_.begin());
  values_here_.swap(values_next_);
  if (!forces_.are_constant()) evaluate_loads(here_);
}

void MaximalStep::take_more_for_nothing(bool more) {
  takes_more_for_nothing_ = more;
  matrix_.set_rank_tolerance(more ? linear::loose_rank_tolerance : linear::rank_tolerance);
}

void MaximalStep::judge_redundant_rows(int rows_without_motion) {
  // Pivots are squares of what rows are independent by. Beyond this, the mechanism may be one that is nearly flat.
  constexpr double little = 1e-5;
  matrix_.set_rank_tolerance(little * little);
  fill_velocity_matrix();
  const bool factored = matrix_.factor();
  int redundant = matrix_.rank_deficiency();
  for (const auto& element : constraints_.elements())
    if (element.active && element.num_sides == 0) redundant += element.num_rows;  // the matrix has no place for them
  take_more_for_nothing(factored && redundant >= rows_without_motion);
}

void MaximalStep::fill_velocity_matrix() {
  matrix_.clear();
  for (int b = 1; b < mechanism_.num_bodies(); ++b)
    put_diagonal(matrix_.body(b), inertias_[std::size_t(b)].J, inertias_[std::size_t(b)].mass);
  matrix_.put_rows(values_here_, values_here_);
}

bool MaximalStep::velocities(std::span<const double> momentum, Bodies& here) {
  fill_velocity_matrix();
  if (!matrix_.factor()) return false;
  std::copy(momentum.begin() + row_width, momentum.end(), correction_.begin());
  constraints_.rates(t_, here_, near_, errors_);
  put_constraint_part(1);
  matrix_.solve(correction_);
  for (std::size_t b = 1; b < here.size(); ++b) {
    here[b].w = angular(correction_.data() + (b - 1) * row_width);
    here[b].v = linear_part(correction_.data() + (b - 1) * row_width);
  }
  return true;
}

}  // namespace polhode::variational
