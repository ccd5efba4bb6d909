#include "polhode/variational/maximal/step_equations.h"

#include <algorithm>
#include <cmath>

namespace polhode::variational {
namespace {

using maximal::Bodies;
using maximal::row_width;

}  // namespace

StepEquations::StepEquations(const Mechanism& mechanism, TurnRule rule, double step, std::span<const char> lockable)
    : mechanism_(mechanism),
      constraints_(mechanism, {}, lockable),
      forces_(mechanism, step),
      inertias_(body_inertias(mechanism, typical_mass(mechanism))),
      rule_(rule),
      values_here_(std::size_t(constraints_.num_values())),
      values_next_(values_here_),
      errors_(std::size_t(constraints_.num_rows())),
      turns_(inertias_.size()),
      impulses_(inertias_.size() * row_width),
      residual_(impulses_) {
  here_.bodies.resize(inertias_.size());
  here_.near.resize(std::size_t(mechanism.num_q()));
  find_velocity_rows();
  if (!has_velocity_rows_) return;
  middle_.bodies.resize(inertias_.size());
  middle_.values.resize(values_here_.size());
  for (auto* row : {&middle_.errors, &middle_.rates, &middle_.products}) row->resize(errors_.size());
}

void StepEquations::find_velocity_rows() {
  const auto elements = constraints_.elements();
  has_velocity_rows_ = std::any_of(elements.begin(), elements.end(),
                                   [](const auto& element) { return element.active && element.num_velocity_rows > 0; });
}

maximal::SaddleBodies StepEquations::saddle_bodies() const {
  maximal::SaddleBodies bodies{.weight = typical_mass(mechanism_), .couplings = forces_.couplings()};
  for (std::size_t b = 1; b < inertias_.size(); ++b) {
    bodies.singular.push_back(structure(mechanism_.bodies()[b].mass) != MassStructure::rigid);
    const double turning = 1 / inertias_[b].per_rotation, mass = 1 / inertias_[b].per_shift;
    bodies.resistance.insert(bodies.resistance.end(), {turning, turning, turning, mass, mass, mass, 0, 0});
  }
  return bodies;
}

void StepEquations::set_active(std::span<const char> enabled) {
  constraints_.set_active(enabled);
  find_velocity_rows();
}

void StepEquations::set_driven(const State& state) {
  constraints_.set_driven(state);
  find_velocity_rows();
}

void StepEquations::start(double t, const Bodies& here, std::span<const double> near) {
  here_.t = t;
  std::copy(here.begin(), here.end(), here_.bodies.begin());
  std::copy(near.begin(), near.end(), here_.near.begin());
  constraints_.errors_and_jacobian(t, here_.bodies, here_.near, errors_, values_here_);
  forces_.evaluate_loads(here_, here_.bodies);
}

void StepEquations::accept(double t, const Bodies& next, std::span<const double> near) {
  if (has_velocity_rows_) return start(t, next, near);  // values_next_ has the middle's of some rows
  here_.t = t;
  std::copy(next.begin(), next.end(), here_.bodies.begin());
  std::copy(near.begin(), near.end(), here_.near.begin());
  values_here_.swap(values_next_);
  forces_.arrive(here_);
}

/// What the bodies have after the impulses here: momenta + share h F + G^T lambda.
void StepEquations::add_impulses(const StepSize& size, std::span<const double> momenta, std::span<const double> lambda) {
  const std::span<const double> loads = forces_.loads();
  for (std::size_t i = 0; i < impulses_.size(); ++i) impulses_[i] = momenta[i] + size.share * size.h * loads[i];
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

StepEquations::Errors StepEquations::evaluate(const StepSize& size, std::span<const double> momenta, Bodies& next,
                                              std::span<const double> lambda) {
  const double h = size.h;
  for (std::size_t b = 1; b < next.size(); ++b) turns_[b] = turn(rule_, h, next[b].w);
  forces_.evaluate(here_, h, next, turns_);
  add_impulses(size, momenta, lambda);
  const int bodies = mechanism_.num_bodies();
  for (int b = 1; b < bodies; ++b) {
    maximal::BodyMotion& to = next[std::size_t(b)];
    const maximal::BodyMotion& from = here_.bodies[std::size_t(b)];
    const BodyInertia& inertia = inertias_[std::size_t(b)];
    const Turn& by = turns_[std::size_t(b)];
    to.r = turned(from.r, by);
    to.x = from.x + h * to.v;
    const double* has = of_body(impulses_, b);
    put(residual_.data() + std::size_t(b) * row_width, momentum_at_start(inertia.J, to.w, by) - angular(has),
        inertia.mass * to.v - linear_part(has));
  }
  constraints_.errors_and_jacobian(here_.t + h, next, here_.near, errors_, values_next_);
  if (has_velocity_rows_) evaluate_velocity_rows(h, next);

  double constraint_error = 0, motion_error = 0, reach = 0, sum = 0;
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
  const double largest = std::isfinite(sum) ? std::max(constraint_error, motion_error) : sum;  // once not a number, for ever
  return {constraint_error, motion_error, reach, largest};
}

/// Rows that hold velocities: those of the step, with the derivatives at its middle. As displacements over the step.
void StepEquations::evaluate_velocity_rows(double h, const Bodies& next) {
  for (std::size_t b = 1; b < next.size(); ++b)
    middle_.bodies[b] = {0.5 * (here_.bodies[b].x + next[b].x), half_turned(here_.bodies[b].r, turns_[b]), next[b].w,
                         next[b].v};
  const double t = here_.t + 0.5 * h;
  constraints_.errors_and_jacobian(t, middle_.bodies, here_.near, middle_.errors, middle_.values);
  constraints_.rates(t, middle_.bodies, here_.near, middle_.rates);
  constraints_.multiply(middle_.values, middle_.bodies, middle_.products);
  for (const auto& element : constraints_.elements()) {
    if (element.num_velocity_rows == 0) continue;
    const int first = element.num_rows - element.num_velocity_rows;
    for (int i = first; i < element.num_rows; ++i) {
      const std::size_t row = std::size_t(element.first_row + i);
      errors_[row] = h * (middle_.products[row] + middle_.rates[row]);
    }
    for (const auto& side : constraints_.sides(element)) {
      const std::size_t from = std::size_t(side.first_value + first * row_width);
      std::copy_n(middle_.values.begin() + long(from), element.num_velocity_rows * row_width,
                  values_next_.begin() + long(from));
    }
  }
}

void StepEquations::fill(maximal::SaddleMatrix& matrix, const StepSize& size, const Bodies& next) {
  matrix.clear();
  for (int b = 1; b < mechanism_.num_bodies(); ++b) {
    const BodyInertia& inertia = inertias_[std::size_t(b)];
    const Vec3<double>& w = next[std::size_t(b)].w;
    const Turn& by = turns_[std::size_t(b)];
    put_diagonal(matrix.body(b), momentum_by_rate(inertia.J, w, by, size.h) * matrix_T(by), inertia.mass);
  }
  matrix.put_rows(values_here_, values_next_);
  forces_.add_struts(here_, size, next, turns_);
}

void StepEquations::right_hand_side(const maximal::SaddleMatrix& matrix, double h, std::span<double> x) const {
  std::transform(residual_.begin() + row_width, residual_.end(), x.begin(), [](double r) { return -r; });
  put_rows(matrix, 1 / h, x);
}

/// The right-hand sides of the constraints' rows, -scale times errors_, and what they add to bodies without inertia.
void StepEquations::put_rows(const maximal::SaddleMatrix& matrix, double scale, std::span<double> x) const {
  const maximal::SaddleLayout& layout = matrix.layout();
  std::fill(x.begin() + layout.num_bodies() * row_width, x.end(), 0.0);
  for (int i = 0; i < int(layout.rows().size()); ++i)
    x[layout.place(i)] = -scale * errors_[std::size_t(layout.rows()[std::size_t(i)])];
  matrix.add_weighted_rows(values_here_, x);
}

void StepEquations::turn_correction(std::span<double> x) const {
  for (std::size_t b = 1; b < turns_.size(); ++b) {
    double* d = x.data() + (b - 1) * row_width;
    const Vec3<double> change = times_T(turns_[b], angular(d));
    d[0] = change.x;
    d[1] = change.y;
    d[2] = change.z;
  }
}

void StepEquations::fill_for_velocities(maximal::SaddleMatrix& matrix) const {
  matrix.clear();
  for (int b = 1; b < mechanism_.num_bodies(); ++b)
    put_diagonal(matrix.body(b), inertias_[std::size_t(b)].J, inertias_[std::size_t(b)].mass);
  matrix.put_rows(values_here_, values_here_);
}

void StepEquations::right_hand_side_for_velocities(const maximal::SaddleMatrix& matrix, std::span<const double> momentum,
                                                   std::span<double> x) {
  std::copy(momentum.begin() + row_width, momentum.end(), x.begin());
  constraints_.rates(here_.t, here_.bodies, here_.near, errors_);
  put_rows(matrix, 1, x);
}

/// Newton's remaining error is in the velocities, not in the momenta.
void StepEquations::put_momenta_at_end(std::span<double> momenta) const {
  for (std::size_t b = 1; b < turns_.size(); ++b) {
    const double* sum = of_body(impulses_, int(b));
    put(momenta.data() + b * row_width, in_axes_at_end(turns_[b], angular(sum)), linear_part(sum));
  }
}

void StepEquations::kick(const StepSize& size, std::span<double> momenta) {
  forces_.turn_to_end();
  const std::span<const double> loads = forces_.loads();
  for (std::size_t i = 0; i < momenta.size(); ++i) momenta[i] += size.share * size.h * loads[i];
}

}  // namespace polhode::variational
