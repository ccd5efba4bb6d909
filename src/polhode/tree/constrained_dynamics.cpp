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
      outside_(state),
      discrete_(state.discrete().begin(), state.discrete().end()),
      solver_(constraints_.num_rows()) {
  const std::size_t n = std::size_t(mechanism().num_u()), m = std::size_t(constraints_.num_rows());
  tau_.resize(n);
  motion_forces_.resize(n);
  G_.resize(std::size_t(constraints_.num_entries()));
  bias_.resize(m);
  lambda_.resize(m);
  W_.resize(m * m);
  plan_groups();
  columns_.resize(8 * n);
  X_.resize(8 * n * groups_.size());
}

void ConstrainedDynamics::plan_groups() {
  const Mechanism& model = mechanism();
  const int m = constraints_.num_rows(), num_bodies = model.num_bodies();
  const std::size_t bodies = model.bodies().size();
  std::vector<int> root(bodies), root_of_speed(tau_.size());
  for (int b = 1; b < num_bodies; ++b) {
    const int parent = model.bodies()[std::size_t(b)].parent;
    root[std::size_t(b)] = parent > 0 ? root[std::size_t(parent)] : b;
    const Joint& joint = model.joints()[std::size_t(b)];
    for (int k = joint.first_u; k < joint.first_u + joint.nu; ++k) root_of_speed[std::size_t(k)] = root[std::size_t(b)];
  }
  const auto add = [](std::vector<BodyRange>& ranges, int first, int last) {
    if (!ranges.empty() && ranges.back().last == first) {
      ranges.back().last = last;
    } else if (first < last) {
      ranges.push_back({first, last});
    }
  };
  std::vector<char> touched(bodies);  // by root
  const auto touches = [&](int row) {
    const std::span<const int> columns = constraints_.columns(row);
    return std::any_of(columns.begin(), columns.end(),
                       [&](int k) { return touched[std::size_t(root_of_speed[std::size_t(k)])] != 0; });
  };
  for (int first = 0; first < m; first += 8) {
    Group group{first, std::min(first + 8, m), {}, {}, {}};
    std::fill(touched.begin(), touched.end(), char(0));
    for (int row = first; row < group.last_row; ++row)
      for (const int k : constraints_.columns(row)) touched[std::size_t(root_of_speed[std::size_t(k)])] = 1;
    for (int b = 1; b < num_bodies; ++b)
      if (touched[std::size_t(root[std::size_t(b)])]) {
        const Joint& joint = model.joints()[std::size_t(b)];
        add(group.trees, b, b + 1);
        add(group.speeds, joint.first_u, joint.first_u + joint.nu);
      }
    for (int row = 0; row < group.last_row; ++row)
      if (touches(row)) group.relatives.push_back(row);
    groups_.push_back(std::move(group));
  }
}

bool ConstrainedDynamics::evaluate(Workspace& w, double t, Numbers q, Numbers u, Numbers z, NumbersOut u_dot,
                                   NumbersOut z_dot) {
  free_accelerations(w, t, q, u, z, u_dot);
  z_rates(w, {t, outside_.inputs()}, q, u, z_dot, z, discrete_);
  if (constraints_.num_rows() > 0) add_constraints(w, t, q, u, u_dot);
  return all_finite(u_dot) && all_finite(z_dot);
}

/// (8.36): the driven accelerations as they are, the others from the forces.
void ConstrainedDynamics::free_accelerations(Workspace& w, double t, Numbers q, Numbers u, Numbers z, NumbersOut u_dot) {
  std::copy(outside_.applied_forces().begin(), outside_.applied_forces().end(), tau_.begin());
  const Now now{t, outside_.inputs()};
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
  add_applied_forces(w, now, q, u, tau_, wrenches, z, discrete_);
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
  for (const Group& group : groups_) {
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
  for (const Group& group : groups_) {
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
