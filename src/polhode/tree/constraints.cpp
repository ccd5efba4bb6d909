#include "polhode/tree/constraints.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/tree/rows/frame_rows.h"
#include "polhode/tree/rows/linear_rows.h"
#include "polhode/tree/rows/path_sums.h"
#include "polhode/tree/rows/row_sweeps.h"
#include "polhode/tree/rows/users_rows.h"

namespace polhode::tree {
namespace {

void require_size(std::size_t given, int wanted, const char* what) {
  if (given != std::size_t(wanted))
    throw std::invalid_argument(fmt::format("{}: {} numbers given, {} needed", what, given, wanted));
}

}  // namespace

Constraints::Constraints(const Mechanism& mechanism, std::span<const char> enabled)
    : plan_(plan_rows(mechanism)), active_(*plan_), enabled_(std::size_t(mechanism.num_constraint_elements()), 1) {
  if (!enabled.empty()) require_size(enabled.size(), mechanism.num_constraint_elements(), "enabled constraints");
  std::copy(enabled.begin(), enabled.end(), enabled_.begin());
  active_.activate(*plan_, enabled_);
}

bool Constraints::set_active(std::span<const char> enabled) {
  require_size(enabled.size(), int(enabled_.size()), "enabled constraints");
  if (std::equal(enabled.begin(), enabled.end(), enabled_.begin())) return false;
  std::copy(enabled.begin(), enabled.end(), enabled_.begin());
  active_.activate(*plan_, enabled_);
  return true;
}

int Constraints::num_rows(RowLevel wanted) const {
  const auto& rows = active_.rows;
  return int(std::count_if(rows.begin(), rows.end(), [&](const ActiveRows::Row& row) { return row.level == wanted; }));
}

std::string Constraints::row_name(int row) const {
  const int number = row_of_owner(row);
  const bool alone = number == 0 && (row + 1 == num_rows() || element(row + 1) != element(row));
  return alone ? owner(row) : fmt::format("{} row {}", owner(row), number + 1);
}

// Errors and the Jacobian.

void Constraints::errors(Workspace& w, double t, Numbers q, NumbersOut h) const {
  require_size(h.size(), num_rows(), "constraint errors");
  evaluate(w, t, q, {h.data(), nullptr});
}

void Constraints::jacobian(Workspace& w, double t, Numbers q, NumbersOut values) const {
  require_size(values.size(), num_entries(), "constraint Jacobian");
  evaluate(w, t, q, {nullptr, values.data()});
}

void Constraints::errors_and_jacobian(Workspace& w, double t, Numbers q, NumbersOut h, NumbersOut values) const {
  require_size(h.size(), num_rows(), "constraint errors");
  require_size(values.size(), num_entries(), "constraint Jacobian");
  evaluate(w, t, q, {h.data(), values.data()});
}

void Constraints::evaluate(Workspace& w, double t, Numbers q, const RowOutput& out) const {
  require_size(q.size(), mechanism().num_q(), "coordinates");
  if (out.values != nullptr) {
    row_sweeps::read_poses_and_columns(view(), w);
    std::fill_n(out.values, num_entries(), 0.0);  // sides whose paths meet add up
  } else {
    row_sweeps::read_poses(view(), w);
  }
  linear_rows::evaluate(view(), t, q, out);
  frame_rows::evaluate(view(), w, out);
  users_rows::evaluate(view(), w, t, q, out);
}

void Constraints::rates(Workspace& w, double t, Numbers q, NumbersOut h_t) const {
  require_size(q.size(), mechanism().num_q(), "coordinates");
  require_size(h_t.size(), num_rows(), "constraint rates");
  std::fill(h_t.begin(), h_t.end(), 0.0);
  linear_rows::rates(view(), t, h_t);
  if (active_.users_blocks.empty()) return;
  row_sweeps::read_poses(view(), w);
  users_rows::rates(view(), w, t, q, h_t);
}

void Constraints::gaps(Workspace& w, NumbersOut allowed) const {
  require_size(allowed.size(), num_rows(), "gaps");
  std::fill(allowed.begin(), allowed.end(), 0.0);
  row_sweeps::read_poses(view(), w);
  frame_rows::gaps(view(), w, gap, allowed);
}

// Velocities and accelerations.

/// out = G u with V_WM = J u.
void Constraints::multiply_moving(Workspace& w, double t, Numbers q, Numbers u, NumbersOut out) const {
  linear_rows::multiply(view(), q, u, out);
  frame_rows::multiply(view(), w, out);
  users_rows::multiply(view(), w, t, q, u, out);
}

void Constraints::velocity_errors(Workspace& w, double t, Numbers q, Numbers u, NumbersOut e) const {
  require_size(q.size(), mechanism().num_q(), "coordinates");
  require_size(u.size(), mechanism().num_u(), "speeds");
  require_size(e.size(), num_rows(), "constraint velocity errors");
  row_sweeps::read_velocities(view(), w);
  multiply_moving(w, t, q, u, e);
  linear_rows::add_rates(view(), t, e);
  users_rows::add_rates(view(), w, t, q, e);
  for (int row = 0; row < num_rows(); ++row)
    if (level(row) == RowLevel::acceleration) e[row] = 0;
}

void Constraints::acceleration_bias(Workspace& w, double t, Numbers q, Numbers u, NumbersOut b) const {
  require_size(q.size(), mechanism().num_q(), "coordinates");
  require_size(u.size(), mechanism().num_u(), "speeds");
  require_size(b.size(), num_rows(), "constraint biases");
  row_sweeps::read_velocities(view(), w);
  row_sweeps::sum_bias_accelerations(view(), w);
  linear_rows::acceleration_bias(view(), t, q, u, b);
  frame_rows::acceleration_bias(view(), w, b);
  users_rows::acceleration_bias(view(), w, t, q, u, b);
}

// Products without a matrix.

void Constraints::apply(Workspace& w, double t, Numbers q, Numbers u, NumbersOut Gu) const {
  require_size(q.size(), mechanism().num_q(), "coordinates");
  require_size(u.size(), mechanism().num_u(), "speeds");
  require_size(Gu.size(), num_rows(), "constraint rates");
  row_sweeps::velocities_of(view(), w, u);
  multiply_moving(w, t, q, u, Gu);
}

/// Leaves what the rows put on bodies in the buffers, at the origins of M, and adds what they put on speeds directly.
void Constraints::load_bodies(Workspace& w, double t, Numbers q, Numbers lambda, NumbersOut tau) const {
  require_size(q.size(), mechanism().num_q(), "coordinates");
  require_size(lambda.size(), num_rows(), "multipliers");
  require_size(tau.size(), mechanism().num_u(), "generalized forces");
  row_sweeps::begin_loads(view(), w);
  frame_rows::add_loads(view(), w, lambda);
  users_rows::add_loads(view(), w, t, q, lambda, tau);
  linear_rows::add_loads(view(), q, lambda, tau);
}

void Constraints::add_wrenches(Workspace& w, double t, Numbers q, Numbers lambda, std::span<Wrench<double>> on_bodies,
                               NumbersOut on_speeds) const {
  require_size(on_bodies.size(), mechanism().num_bodies(), "wrenches by body");
  load_bodies(w, t, q, lambda, on_speeds);
  for (const int body : active_.touched_bodies) {
    const Vec3<double> p_BM_W = -(w.constraint.X_WM[body].R * mechanism().joints()[body].X_MB.p);
    on_bodies[body] += shifted_back(w.constraint.F[body], p_BM_W);
  }
}

void Constraints::apply_transpose(Workspace& w, double t, Numbers q, Numbers lambda, NumbersOut tau) const {
  std::fill(tau.begin(), tau.end(), 0.0);
  load_bodies(w, t, q, lambda, tau);
  row_sweeps::gather_loads(view(), w, tau);
}

// Products with the Jacobian's values.

std::vector<double> Constraints::matrix(Workspace& w, double t, Numbers q, std::optional<RowLevel> wanted) const {
  const std::span<const int> starts = row_starts();
  std::vector<double> values(starts.back()), G;
  jacobian(w, t, q, values);
  for (int row = 0; row < num_rows(); ++row) {
    if (wanted && level(row) != *wanted) continue;
    const std::size_t start = G.size();
    G.resize(start + std::size_t(mechanism().num_u()));
    for (int i = starts[row]; i < starts[row + 1]; ++i) G[start + std::size_t(columns()[i])] = values[i];
  }
  return G;
}

void Constraints::multiply(Numbers values, Numbers u, NumbersOut out) const {
  require_size(values.size(), num_entries(), "constraint Jacobian");
  require_size(u.size(), mechanism().num_u(), "speeds");
  require_size(out.size(), num_rows(), "constraint rates");
  const std::span<const int> starts = row_starts(), speeds = columns();
  for (int row = 0; row < num_rows(); ++row) {
    double sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * u[speeds[i]];
    out[row] = sum;
  }
}

void Constraints::add_transpose(Numbers values, Numbers lambda, NumbersOut out) const {
  require_size(values.size(), num_entries(), "constraint Jacobian");
  require_size(lambda.size(), num_rows(), "multipliers");
  require_size(out.size(), mechanism().num_u(), "generalized forces");
  const std::span<const int> starts = row_starts(), speeds = columns();
  for (int row = 0; row < num_rows(); ++row)
    for (int i = starts[row]; i < starts[row + 1]; ++i) out[speeds[i]] += lambda[row] * values[i];
}

}  // namespace polhode::tree
