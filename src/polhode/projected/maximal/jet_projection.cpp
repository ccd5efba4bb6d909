#include "polhode/projected/maximal/jet_projection.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polhode/projected/maximal/acceptance.h"

namespace polhode::projected {
namespace {

constexpr int width = JetSystem::width;

}  // namespace

JetProjection::JetProjection(JetSystem& system, JetInvariants& invariants, Kind kind, double tolerance)
    : system_(system), invariants_(invariants), kind_(kind), tolerance_(tolerance) {
  if (kind == Kind::orthogonal) orthogonal_.emplace(system, invariants, tolerance);
  const std::size_t n = std::size_t(system.size()), m = std::size_t(invariants.count());
  for (auto* point : {&a_, &y0_, &y10_, &before_, &before1_}) point->resize(n);
  x_.resize(system.metric().size());
  const std::size_t tangent = std::size_t(width * system.coordinates().num_bodies());
  shift_.resize(tangent);
  gradients_.resize(2 * tangent * m);
  directions_.resize(2 * tangent * m);
  slopes_.resize(m * m);
  matrix_.resize(m * m);
  for (auto* by_invariant : {&f_, &f_new_, &c_, &dc_}) by_invariant->resize(m);
  invariants.resize(system);
}

JetOutcome JetProjection::onto_constraints(double t, double* y, double* y1, double tolerance, JetCounters& counters) {
  iterations_ = 0;
  factored_ = Factored::nothing;
  JetOutcome outcome;
  if (kind_ == Kind::orthogonal) {
    outcome = orthogonal_->project(t, y, y1, nullptr, counters, iterations_) ? JetOutcome::done : JetOutcome::no_convergence;
  } else {
    outcome = constraints(t, y, y1, tolerance, counters);
  }
  ++counters.projections;
  counters.newton_iterations += iterations_;
  counters.newton_most = std::max(counters.newton_most, iterations_);
  return outcome;
}

JetOutcome JetProjection::constraints(double t, double* y, double* y1, double tolerance, JetCounters& counters) {
  system_.coordinates().normalize(y, y1);
  if (const JetOutcome outcome = positions(t, y, y1, tolerance, counters); outcome != JetOutcome::done) return outcome;
  return velocities(t, y, y1, tolerance);
}

/// An error after a correction, without the gaps that the correction has left where rows are nearly redundant.
double JetProjection::beyond_gaps(JetSystem::Level level, double error) const {
  return system_.redundant_rows() == RedundantRows::nearly ? system_.error_beyond_gaps(level) : error;
}

/// (5.3) by Newton's method: the nearest point to a where g = 0, g being replaced by its tangent in each iteration.
JetOutcome JetProjection::positions(double t, double* y, double* y1, double tolerance, JetCounters& counters) {
  const JetCoordinates& coordinates = system_.coordinates();
  std::copy_n(y, a_.size(), a_.begin());
  ended_at_gaps_ = false;
  double last = 0;
  for (int i = 0;; ++i) {
    system_.place(t, y, y1);
    if (system_.num_rows() == 0) return JetOutcome::done;
    system_.linearize(counters);
    const double error = system_.position_error();
    system_.set_distance(error);
    // Far from the origin, or with long arms, rounding alone may be more than the tolerance.
    const double enough = std::max(tolerance, system_.rounding_of_positions());
    if (error <= enough) return JetOutcome::done;
    if (!std::isfinite(error)) return JetOutcome::not_finite;
    const double falling = i > 0 ? beyond_gaps(JetSystem::Level::position, error) : error;
    if (falling <= enough)  // nothing brings the rows nearer to each other
      return system_.are_gaps(JetSystem::Level::position) ? JetOutcome::done : JetOutcome::no_convergence;
    const bool stands = i > 2 && falling > acceptance::standing * last;
    if (i == acceptance::most_iterations || (stands && falling > acceptance::still_near * tolerance)) {
      ended_at_gaps_ = stands && system_.are_gaps(JetSystem::Level::position);
      return JetOutcome::no_convergence;
    }
    ++iterations_;
    // Factors of a point near by serve as long as the error falls fast.
    if ((!is_factored_for(Factored::positions) || (i > 0 && falling > acceptance::falls_fast * last)) &&
        !factor_for(Factored::positions))
      return JetOutcome::not_finite;
    last = falling;
    // Loads on bodies: the metric times a - y, along the tangent directions.
    std::fill(x_.begin(), x_.end(), 0.0);
    if (i > 0) {
      for (std::size_t k = 0; k < a_.size(); ++k) before_[k] = a_[k] - y[k];
      coordinates.along(y, before_.data(), x_.data());
    }
    for (const SaddleLayout::Group& group : system_.rows().groups()) {
      double* const of_rows = x_.data() + system_.rows().place(group);
      for (int k = 0; k < group.num_position_rows; ++k) of_rows[k] = -system_.g(group.first_use + k);
    }
    system_.metric().solve(system_.jacobian(), x_);
    coordinates.move(x_.data(), y, y1);
  }
}

/// (5.4): a linear system. Where the factors are those of a point near by, it is solved a second time, or once more with
/// factors of this point.
JetOutcome JetProjection::velocities(double t, double* y, double* y1, double tolerance) {
  if (system_.num_rows() == 0) return JetOutcome::done;
  double last = 0;
  for (int i = 0;; ++i) {
    const double error = system_.velocity_error(), enough = std::max(tolerance, system_.rounding_of_velocities());
    if (error <= enough) return JetOutcome::done;
    if (!std::isfinite(error)) return JetOutcome::not_finite;
    const double falling = i > 0 ? beyond_gaps(JetSystem::Level::velocity, error) : error;
    if (falling <= enough) return system_.are_gaps(JetSystem::Level::velocity) ? JetOutcome::done : JetOutcome::no_convergence;
    if (i == acceptance::most_iterations) return JetOutcome::no_convergence;
    const bool factored = is_factored_for(Factored::velocities);
    if (!factored || (i > 0 && falling > acceptance::falls_fast * last)) {
      // Redundant rows contradict each other by as much as positions are off, times speeds.
      if (i > 1 && system_.redundant_rows() != RedundantRows::none && falling <= acceptance::still_near * tolerance)
        return JetOutcome::done;
      if (i > 3 && factored) return JetOutcome::no_convergence;
      if (!factor_for(Factored::velocities)) return JetOutcome::not_finite;
    }
    last = falling;
    std::fill(x_.begin(), x_.end(), 0.0);
    for (int row = 0; row < system_.num_rows(); ++row) x_[system_.rows().place(row)] = -system_.velocity_error(row);
    system_.metric().solve(system_.jacobian(), x_);
    system_.coordinates().change_velocities(y, x_.data(), y1);
    system_.place(t, y, y1);
  }
}

JetOutcome JetProjection::onto_all(double t, double* y, double* y1, double work, double most_change, JetCounters& counters,
                                   Point point) {
  restored_ = true;
  if (!invariants_.any()) return onto_constraints(t, y, y1, counters);
  iterations_ = 0;
  if (point == Point::elsewhere) {
    factored_ = Factored::nothing;
    have_directions_ = false;
  }
  JetOutcome outcome = JetOutcome::done;
  if (kind_ == Kind::orthogonal) {
    std::copy_n(y, before_.size(), y0_.begin());
    std::copy_n(y1, before1_.size(), y10_.begin());
    restored_ = orthogonal_->project(t, y, y1, &work, counters, iterations_);
    if (!restored_) {
      std::copy(y0_.begin(), y0_.end(), y);
      std::copy(y10_.begin(), y10_.end(), y1);
      if (!orthogonal_->project(t, y, y1, nullptr, counters, iterations_)) outcome = JetOutcome::no_convergence;
    }
  } else {
    outcome = constraints(t, y, y1, tolerance_, counters);
    if (outcome == JetOutcome::done) outcome = invariants(t, y, y1, work, most_change, counters);
  }
  ++counters.projections;
  counters.newton_iterations += iterations_;
  counters.newton_most = std::max(counters.newton_most, iterations_);
  return outcome;
}

bool JetProjection::factor_for(Factored wanted) {
  factored_ = wanted;
  return system_.metric().factor(system_.jacobian(),
                                 wanted == Factored::velocities ? JetMatrix::Levels::all : JetMatrix::Levels::positions);
}

/// Gradients at the point, made tangent to Mtheta and Mhc in the metric of the jet space, and the slopes along them.
bool JetProjection::directions(JetCounters& counters) {
  const std::size_t tangent = shift_.size();
  const int m = invariants_.count();
  for (int i = 0; i < m; ++i) {
    double* const gradient = gradients_.data() + 2 * tangent * std::size_t(i);
    ++counters.invariant_gradients;
    invariants_.gradient(system_, i, gradient, gradient + tangent);
  }
  for (const bool of_velocity : {false, true}) {
    // The same matrix serves both unless there are rows on velocities alone.
    const Factored wanted = of_velocity ? Factored::velocities : Factored::positions;
    if ((!of_velocity || !is_factored_for(wanted)) && !factor_for(wanted)) return false;
    for (int i = 0; i < m; ++i) {
      const std::size_t first = 2 * tangent * std::size_t(i) + (of_velocity ? tangent : 0);
      // Momenta are restored by velocities alone, in which they are linear.
      if (!of_velocity && invariants_.is_momentum(i)) {
        std::fill_n(directions_.begin() + long(first), tangent, 0.0);
        continue;
      }
      std::fill(x_.begin(), x_.end(), 0.0);
      std::copy_n(gradients_.begin() + long(first), tangent, x_.begin());
      system_.metric().solve(system_.jacobian(), x_);
      std::copy_n(x_.begin(), tangent, directions_.begin() + long(first));
    }
  }
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      const double* const gradient = gradients_.data() + 2 * tangent * std::size_t(i);
      const double* const along = directions_.data() + 2 * tangent * std::size_t(j);
      slopes_[std::size_t(i * m + j)] = std::inner_product(gradient, gradient + 2 * tangent, along, 0.0);
    }
  return true;
}

double JetProjection::largest_change(const double* y, const double* y1) const {
  double largest = 0;
  for (std::size_t i = 0; i < y0_.size(); ++i) {
    largest = std::max(largest, std::abs(y[i] - y0_[i]) / (1 + std::abs(y0_[i])));
    largest = std::max(largest, std::abs(y1[i] - y10_[i]) / (1 + std::abs(y10_[i])));
  }
  return largest;
}

/// With the momenta, or where that cannot be, without them: they are tried again after the next step.
JetOutcome JetProjection::invariants(double t, double* y, double* y1, double work, double most_change, JetCounters& counters) {
  if (invariants_.errors(system_, work, f_.data()) <= tolerance_) return JetOutcome::done;
  restored_ = false;
  std::copy_n(y, y0_.size(), y0_.begin());
  std::copy_n(y1, y10_.size(), y10_.begin());
  if (!have_directions_) have_directions_ = directions(counters);
  const auto go_back = [&] {
    std::copy(y0_.begin(), y0_.end(), y);
    std::copy(y10_.begin(), y10_.end(), y1);
    return constraints(t, y, y1, tolerance_, counters);
  };
  const int all = invariants_.count(), few = invariants_.count_without_momenta();
  if (have_directions_ && restore(all, t, y, y1, work, most_change, counters)) return JetOutcome::done;
  const JetOutcome back = go_back();
  if (back != JetOutcome::done || few == all) return back;
  invariants_.errors(system_, work, f_.data());
  restored_ = invariants_.largest_without_momenta() <= tolerance_;
  have_directions_ = !restored_ && directions(counters);
  if (restored_ || (have_directions_ && restore(few, t, y, y1, work, most_change, counters))) return JetOutcome::done;
  return go_back();
}

/// (5.5) on M: f_inv = 0, of the first m, at p0 + sum_j c_j n_j, projected onto Mtheta and Mhc, n_j being the directions at p0.
/// The slopes are the gradients' to begin with and Broyden's later, since projecting changes f_inv too.
bool JetProjection::restore(int m, double t, double* y, double* y1, double work, double most_change, JetCounters& counters) {
  const std::size_t tangent = shift_.size();
  const int all = invariants_.count();
  std::fill(c_.begin(), c_.end(), 0.0);
  for (int i = 0; i < 10; ++i) {
    for (int r = 0; r < m; ++r)
      for (int j = 0; j < m; ++j) matrix_[std::size_t(r * m + j)] = slopes_[std::size_t(r * all + j)];
    for (int j = 0; j < m; ++j) dc_[std::size_t(j)] = -f_[std::size_t(j)];
    if (!solve_small(m, matrix_.data(), dc_.data())) return false;
    for (int j = 0; j < m; ++j) c_[std::size_t(j)] += dc_[std::size_t(j)];
    std::copy(y0_.begin(), y0_.end(), y);
    std::copy(y10_.begin(), y10_.end(), y1);
    for (const bool of_velocity : {false, true}) {
      std::fill(shift_.begin(), shift_.end(), 0.0);
      for (int j = 0; j < m; ++j) {
        const double* const along = directions_.data() + 2 * tangent * std::size_t(j) + (of_velocity ? tangent : 0);
        for (std::size_t k = 0; k < tangent; ++k) shift_[k] += c_[std::size_t(j)] * along[k];
      }
      if (of_velocity) {
        system_.coordinates().change_velocities(y, shift_.data(), y1);
      } else {
        system_.coordinates().move(shift_.data(), y, y1);
      }
    }
    if (!(largest_change(y, y1) <= most_change)) return false;
    ++iterations_;
    if (constraints(t, y, y1, tolerance_, counters) != JetOutcome::done) return false;
    double error = invariants_.errors(system_, work, f_new_.data());
    if (m < all) error = invariants_.largest_without_momenta();
    if (error <= tolerance_) return restored_ = true;
    double size = 0;
    for (int j = 0; j < m; ++j) size += dc_[std::size_t(j)] * dc_[std::size_t(j)];
    if (!(size > 0)) return false;
    for (int r = 0; r < m; ++r) {
      // As slopes dc = -f before, what they missed is the new f itself.
      const double missed = f_new_[std::size_t(r)];
      for (int j = 0; j < m; ++j) slopes_[std::size_t(r * all + j)] += missed * dc_[std::size_t(j)] / size;
    }
    f_ = f_new_;
  }
  return false;
}

}  // namespace polhode::projected
