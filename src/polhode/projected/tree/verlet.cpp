#include "polhode/projected/tree/verlet.h"

#include <algorithm>
#include <cmath>

namespace polhode::projected {

Verlet::Verlet(const Mechanism& mechanism, const Options& options) : OneStep(mechanism, options, 2, 3) {
  half_x_.resize(std::size_t(num_x()));
  euler_v_.resize(std::size_t(num_v()));
  set(State(mechanism));
}

/// theta1 = h theta' + h^2/2 theta''. For flat joints theta'' is du/dt. For the others it is written as h times the rate at
/// half the step, which differs from it in third order and needs no derivative of the chart.
void Verlet::move_chart(double h) {
  const int nc = num_chart();
  for (int i = 0; i < num_x(); ++i) half_x_[std::size_t(i)] = x0_[std::size_t(i)] + 0.5 * h * k(0)[i];
  if (!system_.charts().all_flat()) system_.charts().retract(q0_.data(), half_x_.data(), q_.data());
  system_.charts().rates(q_.data(), half_x_.data(), half_x_.data() + nc, x1_.data());
  for (int i = 0; i < nc; ++i) x1_[std::size_t(i)] *= h;
}

/// v = v0 + h/2 (v'(v0) + v'(v)) by fixed-point iteration from explicit Euler's v. One iteration makes it second order; it
/// goes on until the change is a tenth of the accuracy.
OneStep::Outcome Verlet::iterate_speeds(double h) {
  constexpr int most = 10;
  const int nc = num_chart(), nv = num_v(), nu = system_.num_u();
  double* const x_dot = k(1);
  double* const change = error_estimate_.data();
  std::fill_n(change, nc, 0.0);
  double last = HUGE_VAL;
  for (int iteration = 0; iteration < most; ++iteration) {
    ++statistics_.evaluations;
    if (!system_.derivatives(t0_ + h, q_new_.data(), v_new_.data(), v_new_.data() + nu, x_dot + nc, x_dot + nc + nu))
      return Outcome::not_finite;
    for (int i = 0; i < nv; ++i) {
      const double better = x0_[std::size_t(nc + i)] + 0.5 * h * (k(0)[nc + i] + x_dot[nc + i]);
      change[nc + i] = better - v_new_[std::size_t(i)];
      v_new_[std::size_t(i)] = better;
    }
    if (!system_.prescribe(t0_ + h, q_new_.data(), v_new_.data(), v_new_.data() + nu)) return Outcome::off_constraints;
    const double size = error_norm(change, false);
    if (!std::isfinite(size)) return Outcome::not_finite;
    if (size <= 0.1) return Outcome::done;
    if (iteration > 2 && size > last) return Outcome::no_convergence;
    last = size;
  }
  // With fixed steps the order is reached all the same, as long as the changes fall.
  return options_.fixed_step ? Outcome::done : Outcome::no_convergence;
}

OneStep::Outcome Verlet::attempt(double h, bool error_wanted) {
  const int nc = num_chart();
  move_chart(h);
  for (int i = 0; i < num_v(); ++i) {
    const std::size_t j = std::size_t(i);
    euler_v_[j] = x1_[std::size_t(nc + i)] = x0_[std::size_t(nc + i)] + h * k(0)[nc + i];
  }
  if (const Outcome outcome = arrive(t0_ + h); outcome != Outcome::done) return outcome;
  if (const Outcome outcome = iterate_speeds(h); outcome != Outcome::done) return outcome;
  std::copy(v_new_.begin(), v_new_.end(), x1_.begin() + nc);
  if (!system_.project(t0_ + h, q_new_.data(), v_new_.data(), v_new_.data() + system_.num_u())) return Outcome::off_constraints;
  if (const Outcome outcome = slope_at_end(t0_ + h); outcome != Outcome::done) return outcome;
  if (error_wanted) error_ = estimate_error(h);
  return Outcome::done;
}

/// Low-order estimates: the trapezoidal rule for q, explicit Euler for u and z (Simbody theory manual 10.4).
double Verlet::estimate_error(double h) {
  const int nc = num_chart();
  for (int i = 0; i < nc; ++i) error_estimate_[std::size_t(i)] = 0.5 * h * (k(0)[i] + k_end()[i]) - x1_[std::size_t(i)];
  for (int i = 0; i < num_v(); ++i) error_estimate_[std::size_t(nc + i)] = euler_v_[std::size_t(i)] - x1_[std::size_t(nc + i)];
  return error_norm(error_estimate_.data(), true);
}

SemiExplicitEuler::SemiExplicitEuler(const Mechanism& mechanism, const Options& options) : OneStep(mechanism, options, 2, 2) {
  set(State(mechanism));
}

OneStep::Outcome SemiExplicitEuler::attempt(double h, bool error_wanted) {
  const int nc = num_chart();
  for (int i = nc; i < num_x(); ++i) x1_[std::size_t(i)] = x0_[std::size_t(i)] + h * k(0)[i];
  // x0 has theta = 0: the rate with the new speeds, where the step starts.
  system_.charts().rates(q0_.data(), x0_.data(), x1_.data() + nc, x1_.data());
  for (int i = 0; i < nc; ++i) x1_[std::size_t(i)] *= h;
  if (const Outcome outcome = arrive(t0_ + h); outcome != Outcome::done) return outcome;
  if (const Outcome outcome = slope_at_end(t0_ + h); outcome != Outcome::done) return outcome;
  if (error_wanted) {
    for (int i = 0; i < num_x(); ++i) {
      const std::size_t j = std::size_t(i);
      error_estimate_[j] = x1_[j] - x0_[j] - 0.5 * h * (k(0)[i] + k_end()[i]);
    }
    error_ = error_norm(error_estimate_.data(), true);
  }
  return Outcome::done;
}

}  // namespace polhode::projected
