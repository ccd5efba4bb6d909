#include "polhode/tree/constrained_dynamics.h"

#include <algorithm>

#include "polhode/mechanism/one_sided.h"
#include "polhode/tree/applied_forces.h"

namespace polhode::tree {
namespace {

bool all_finite(Numbers x) {
  double sum = 0;
  for (const double value : x) sum += value - value;  // NaN as soon as one value is not finite
  return sum == 0;
}

Constraints equations_of(const State& state) {
  require_equations(state.mechanism());
  return Constraints(state.mechanism(), state.enabled());
}

}  // namespace

ConstrainedDynamics::ConstrainedDynamics(const State& state)
    : constraints_(equations_of(state)),
      motion_(state),
      outside_(state),
      solver_(constraints_.max_rows()),
      groups_(constraints_) {
  const std::size_t n = std::size_t(mechanism().num_u());
  for (auto* by_speed : {&tau_, &motion_forces_}) by_speed->resize(n);
  columns_.resize(8 * n);
  size_for(constraints_.max_rows(), constraints_.max_entries(), groups_.most());  // once and for all
  size_for(constraints_.num_rows(), constraints_.num_entries(), int(groups_.all().size()));
  set(state);
}

bool ConstrainedDynamics::set(const State& state) {
  motion_.set(state);
  outside_.set(state);
  std::fill(motion_forces_.begin(), motion_forces_.end(), 0.0);
  if (!constraints_.set_active(state.enabled())) return false;
  groups_.plan(constraints_);
  size_for(constraints_.num_rows(), constraints_.num_entries(), int(groups_.all().size()));
  return true;
}

void ConstrainedDynamics::size_for(int rows, int entries, int groups) {
  const std::size_t m = std::size_t(rows);
  solver_.resize(rows);
  G_.assign(std::size_t(entries), 0.0);
  for (auto* by_row : {&bias_, &lambda_}) by_row->assign(m, 0.0);
  W_.assign(m * m, 0.0);  // what rows without a tree in common have with each other stays zero
  X_.resize(8 * tau_.size() * std::size_t(groups));
}

bool ConstrainedDynamics::evaluate(Workspace& w, double t, Numbers q, Numbers u, Numbers z, NumbersOut u_dot,
                                   NumbersOut z_dot) {
  free_accelerations(w, t, q, u, z, u_dot);
  z_rates(w, outside_.now(t, z), q, u, z_dot);
  if (constraints_.num_rows() > 0) add_constraints(w, t, q, u, u_dot);
  return all_finite(u_dot) && all_finite(z_dot);
}

/// (8.36): the driven accelerations as they are, the others from the forces.
void ConstrainedDynamics::free_accelerations(Workspace& w, double t, Numbers q, Numbers u, Numbers z, NumbersOut u_dot) {
  std::copy(outside_.applied_forces().begin(), outside_.applied_forces().end(), tau_.begin());
  const Now now = outside_.now(t, z);
  const bool on_bodies = mechanism().forces().act_on_bodies();
  if (!on_bodies && !motion_.any() && constraints_.num_rows() == 0) {  // poses and velocities of bodies are not asked for
    add_applied_forces(w, now, q, u, tau_, {});
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
  add_applied_forces(w, now, q, u, tau_, wrenches);
  if (!motion_.any()) {
    forward_dynamics_moved(w, tau_, wrenches, u_dot);
    return;
  }
  motion_.accelerations(t, q, u, u_dot);
  forward_dynamics_driven(w, tau_, wrenches, motion_.driven(), u_dot, motion_forces_);
}

/// W = G_f M_ff^-1 G_f^T, eight rows at a time (8.45)-(8.47). Forward dynamics left the factors of M. Rows whose trees have
/// nothing in common leave zeros.
void ConstrainedDynamics::form_schur_complement(Workspace& w) {
  const std::size_t m = std::size_t(constraints_.num_rows()), n = std::size_t(mechanism().num_u());
  const std::span<const int> starts = constraints_.row_starts(), columns = constraints_.columns();
  double* x = X_.data();
  for (const RowGroups::Group& group : groups_.all()) {
    for (const BodyRange& range : group.speeds) std::fill(&columns_[0] + 8 * range.first, &columns_[0] + 8 * range.last, 0.0);
    for (int i = group.first_row; i < group.last_row; ++i)
      for (int k = starts[i]; k < starts[i + 1]; ++k) columns_[std::size_t(8 * columns[k] + i - group.first_row)] = G_[k];
    solve_mass_eight(w, group.trees, columns_, {x, 8 * n});
    for (const int j : group.relatives) {
      double sum[8] = {};
      for (int k = starts[j]; k < starts[j + 1]; ++k) {
        const double* const x_k = x + 8 * columns[k];
        for (int lane = 0; lane < 8; ++lane) sum[lane] += G_[k] * x_k[lane];
      }
      for (int i = std::max(j, group.first_row); i < group.last_row; ++i)
        W_[std::size_t(i) * m + std::size_t(j)] = sum[i - group.first_row];
    }
    x += 8 * n;
  }
}

/// M^-1 G^T lambda.
void ConstrainedDynamics::subtract_constraint_accelerations(NumbersOut u_dot) const {
  const double* x = X_.data();
  for (const RowGroups::Group& group : groups_.all()) {
    double lambda[8] = {};
    std::copy(&lambda_[0] + group.first_row, &lambda_[0] + group.last_row, lambda);
    for (const BodyRange& range : group.speeds)
      for (int k = range.first; k < range.last; ++k) {
        double sum = 0;
        for (int lane = 0; lane < 8; ++lane) sum += lambda[lane] * x[8 * k + lane];
        u_dot[std::size_t(k)] -= sum;
      }
    x += 8 * u_dot.size();
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
  subtract_constraint_accelerations(u_dot);
  if (!motion_.any()) return;
  // (8.38): motion forces also hold what the constraints do, directly and through the free accelerations they change.
  // M du/dt at the driven speeds changes by what the change of the free ones puts on them.
  std::fill(tau_.begin(), tau_.end(), 0.0);
  subtract_constraint_accelerations(tau_);
  const NumbersOut change = NumbersOut(columns_).first(std::size_t(n));
  multiply_mass(w, tau_, change);
  constraints_.add_transpose(G_, lambda_, change);
  for (int k = 0; k < n; ++k)
    if (motion_.driven()[k]) motion_forces_[k] += change[k];
}

}  // namespace polhode::tree
