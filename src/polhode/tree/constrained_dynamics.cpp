#include "polhode/tree/constrained_dynamics.h"

#include <algorithm>

#include "polhode/tree/applied_forces.h"

namespace polhode::tree {
namespace {

bool all_finite(Numbers x) {
  double sum = 0;
  for (const double value : x) sum += value - value;  // NaN as soon as one value is not finite
  return sum == 0;
}

}  // namespace

ConstrainedDynamics::ConstrainedDynamics(const State& state)
    : constraints_(state.mechanism(), state.enabled()),
      motion_(state),
      applied_(state.applied_forces().begin(), state.applied_forces().end()),
      discrete_(state.discrete().begin(), state.discrete().end()),
      solver_(constraints_.num_rows()) {
  const std::size_t n = std::size_t(mechanism().num_u()), m = std::size_t(constraints_.num_rows());
  tau_.resize(n);
  motion_forces_.resize(n);
  column_.resize(n);
  G_.resize(std::size_t(constraints_.num_entries()));
  bias_.resize(m);
  lambda_.resize(m);
  X_.resize(m * n);
  W_.resize(m * m);
}

bool ConstrainedDynamics::evaluate(Workspace& w, double t, Numbers q, Numbers u, Numbers z, NumbersOut u_dot,
                                   NumbersOut z_dot) {
  free_accelerations(w, t, q, u, z, u_dot);
  z_rates(w, t, q, u, z_dot, z, discrete_);
  if (constraints_.num_rows() > 0) add_constraints(w, t, q, u, u_dot);
  return all_finite(u_dot) && all_finite(z_dot);
}

/// (8.36): the driven accelerations as they are, the others from the forces.
void ConstrainedDynamics::free_accelerations(Workspace& w, double t, Numbers q, Numbers u, Numbers z, NumbersOut u_dot) {
  std::copy(applied_.begin(), applied_.end(), tau_.begin());
  const bool on_bodies = mechanism().forces().act_on_bodies();
  if (!on_bodies && !motion_.any() && constraints_.num_rows() == 0) {  // poses and velocities of bodies are not asked for
    add_applied_forces(w, t, q, u, tau_, {});
    forward_dynamics(w, q, u, tau_, u_dot);
    return;
  }
  kinematics(w, q, u);
  std::span<Wrench<double>> wrenches{};
  if (on_bodies) {
    read_bodies(w);
    std::fill(w.wrenches_B.begin(), w.wrenches_B.end(), Wrench<double>{});
    wrenches = w.wrenches_B;
  }
  add_applied_forces(w, t, q, u, tau_, wrenches, z, discrete_);
  if (!motion_.any()) {
    forward_dynamics_moved(w, tau_, wrenches, u_dot);
    return;
  }
  motion_.accelerations(t, q, u, u_dot);
  forward_dynamics_driven(w, tau_, wrenches, motion_.driven(), u_dot, motion_forces_);
}

/// W = G_f M_ff^-1 G_f^T, a row at a time (8.45)-(8.47). Forward dynamics left the factors of M.
void ConstrainedDynamics::form_schur_complement(Workspace& w) {
  const int m = constraints_.num_rows(), n = mechanism().num_u();
  const std::span<const int> starts = constraints_.row_starts(), columns = constraints_.columns();
  for (int i = 0; i < m; ++i) {
    std::fill(column_.begin(), column_.end(), 0.0);
    for (int k = starts[i]; k < starts[i + 1]; ++k) column_[columns[k]] = G_[k];
    double* const x = X_.data() + std::size_t(i) * n;
    solve_mass(w, column_, {x, std::size_t(n)});
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = starts[j]; k < starts[j + 1]; ++k) sum += G_[k] * x[columns[k]];
      W_[std::size_t(i) * m + j] = sum;
    }
  }
}

void ConstrainedDynamics::add_constraints(Workspace& w, double t, Numbers q, Numbers u, NumbersOut u_dot) {
  const int m = constraints_.num_rows(), n = mechanism().num_u();
  constraints_.jacobian(w, t, q, G_);
  form_schur_complement(w);
  constraints_.multiply(G_, u_dot, lambda_);
  constraints_.acceleration_bias(w, t, q, u, bias_);
  for (int i = 0; i < m; ++i) lambda_[i] -= bias_[i];
  solver_.factor(W_.data());
  solver_.solve(lambda_.data(), lambda_.data());
  for (int i = 0; i < m; ++i) {
    const double* const x = X_.data() + std::size_t(i) * n;
    for (int k = 0; k < n; ++k) u_dot[k] -= lambda_[i] * x[k];
  }
  if (!motion_.any()) return;
  // (8.38): motion forces also hold what the constraints do, directly and through the free accelerations they change.
  // M du/dt at the driven speeds changes by what the change of the free ones puts on them.
  std::fill(tau_.begin(), tau_.end(), 0.0);
  for (int i = 0; i < m; ++i) {
    const double* const x = X_.data() + std::size_t(i) * n;
    for (int k = 0; k < n; ++k) tau_[k] -= lambda_[i] * x[k];
  }
  multiply_mass(w, tau_, column_);
  constraints_.add_transpose(G_, lambda_, column_);
  for (int k = 0; k < n; ++k)
    if (motion_.driven()[k]) motion_forces_[k] += column_[k];
}

}  // namespace polhode::tree
