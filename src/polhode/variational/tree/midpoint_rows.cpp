// Constraints in the equations of a step: rows on positions at its end, rows on velocities at its midpoint.
#include <algorithm>
#include <cmath>

#include "polhode/variational/tree/midpoint_step.h"

namespace polhode::variational {

MidpointStep::Numbers MidpointStep::rows_at(double t, Numbers q) const {
  const bool same_time = t == end_t_ || !constraints_.has_users_rows();
  const bool known = end_rows_known_ && same_time && std::equal(q.begin(), q.end(), end_q_.begin(), end_q_.end());
  return known ? Numbers(end_rows_) : Numbers();
}

/// G where the step starts: most often where the last one ended, and then it is at hand.
void MidpointStep::find_start_rows() {
  if (!rows_at(t_, q_).empty()) {
    start_rows_.swap(end_rows_);
    end_rows_known_ = false;
    return;
  }
  tree::positions(workspace_, q_);
  constraints_.jacobian(workspace_, t_, q_, start_rows_);
}

/// Errors, and G at the end. Rows that hold velocities hold those of the midpoint (Cortes & Martinez 2001: discrete
/// Lagrange-d'Alembert), and count as displacements over the step.
void MidpointStep::evaluate_rows(double h, Numbers theta) {
  end_t_ = t_ + h;
  move(1, theta, end_q_);
  tree::positions(workspace_, end_q_);
  constraints_.errors_and_jacobian(workspace_, end_t_, end_q_, errors_, end_rows_);
  end_rows_known_ = true;
  if (!has_velocity_rows_) return;
  midpoint_displacements(h, theta, velocity_errors_);
  for (int row = 0; row < num_rows(); ++row)
    if (!constraints_.is_holonomic(row)) errors_[row] = velocity_errors_[row];
}

/// h dh/dt at the midpoint, of all rows.
void MidpointStep::midpoint_displacements(double h, Numbers theta, NumbersOut out) {
  midpoint_as_user_sees_it(h, theta);
  tree::kinematics(workspace_, user_q_, user_u_);
  constraints_.velocity_errors(workspace_, t_ + alpha_ * h, user_q_, user_u_, out);
  for (double& displacement : out) displacement *= h;
}

/// Rows that depend on each other may not be met together by more than the digits they were written with. What no correction
/// changes is then no error of the step, as long as it is small.
double MidpointStep::error_of_row(int row, Numbers correction) const {
  const double error = std::abs(errors_[row]);
  if (error <= gap_allowed_ || schur_solver_.rank() == coupled_ || gaps_[row] == 0) return error;
  const double change = row_times(row, correction.data());
  return std::abs(errors_[row] + change) <= gaps_[row] ? std::abs(change) : error;
}

/// Rows on the speeds at the start or the end of the step as rows on tests or increments; they differ for general joints.
void MidpointStep::map_rows(Numbers theta, Numbers values, bool at_end, NumbersOut out) const {
  std::copy(values.begin(), values.end(), out.begin());
  if (general_.empty()) return;
  for (int row = 0; row < num_rows(); ++row) {
    const auto columns = constraints_.columns(row);
    double* const numbers = out.data() + constraints_.row_starts()[row];
    for (std::size_t g = 0; g < general_.size(); ++g) {
      const GeneralJoint& joint = tree_.general()[g];
      const auto first = std::lower_bound(columns.begin(), columns.end(), joint.first_u);
      double whole[GeneralMotion::most] = {}, mapped[GeneralMotion::most];
      const std::ptrdiff_t begin = first - columns.begin();
      std::ptrdiff_t end = begin;
      for (; end < std::ptrdiff_t(columns.size()) && columns[end] < joint.first_u + joint.nu; ++end)
        whole[columns[end] - joint.first_u] = numbers[end];
      if (end == begin) continue;
      if (at_end)
        general_steps_[g].apply([&](auto& step) { step.row_on_increments(theta.data() + joint.first_u, whole, mapped); });
      else
        general_steps_[g].apply([&](auto& step) { step.row_on_tests(theta.data() + joint.first_u, whole, mapped); });
      for (std::ptrdiff_t k = begin; k < end; ++k) numbers[k] = mapped[columns[k] - joint.first_u];
    }
  }
}

void MidpointStep::put_constraint_columns(double h, Numbers theta) {
  const std::size_t n = residual_.size();
  map_rows(theta, start_rows_, false, mapped_start_);
  map_rows(theta, end_rows_, true, mapped_end_);
  difference_rows(h, theta);
  for (int row = 0; row < num_rows(); ++row) {
    const auto columns = constraints_.columns(row);
    const double* const values = mapped_start_.data() + constraints_.row_starts()[row];
    for (std::size_t k = 0; k < columns.size(); ++k) columns_[row * n + columns[k]] = values[k];
  }
}

/// Which numbers of the rows on increments the Jacobian does not have: those of rows that hold velocities, whose derivatives
/// change with the pose too; and those of joints that hold a spin, which turns them a little at the end of the step.
void MidpointStep::find_differenced_entries() {
  differenced_.clear();
  differences_positions_ = false;
  has_velocity_rows_ = constraints_.num_rows(RowLevel::velocity) > 0;
  const auto holds_spin = [&](int speed) {
    return std::any_of(tree_.general().begin(), tree_.general().end(), [&](const GeneralJoint& joint) {
      return joint.holds_spin && speed >= joint.first_u && speed < joint.first_u + joint.nu;
    });
  };
  for (int row = 0; row < num_rows(); ++row)
    for (int entry = constraints_.row_starts()[row]; entry < constraints_.row_starts()[row + 1]; ++entry) {
      const int speed = constraints_.columns()[entry];
      if (constraints_.is_holonomic(row) && !holds_spin(speed)) continue;
      differences_positions_ = differences_positions_ || constraints_.is_holonomic(row);
      differenced_.push_back({speed, row, entry});
    }
  std::sort(differenced_.begin(), differenced_.end(),
            [](const Differenced& a, const Differenced& b) { return std::pair(a.speed, a.row) < std::pair(b.speed, b.row); });
}

/// These by central differences, right to 1e-10: truncation is near^2 times a third derivative, rounding 1e-16/near.
void MidpointStep::difference_rows(double h, Numbers theta) {
  constexpr double near = 1e-5;  // [rad], [m]
  if (differenced_.empty()) return;
  std::copy(theta.begin(), theta.end(), near_theta_.begin());
  for (auto first = differenced_.begin(); first != differenced_.end();) {
    const std::size_t speed = std::size_t(first->speed);
    near_theta_[speed] = theta[speed] + near;
    displacements_of_rows(h, near_theta_, ahead_);
    near_theta_[speed] = theta[speed] - near;
    displacements_of_rows(h, near_theta_, behind_);
    near_theta_[speed] = theta[speed];
    for (; first != differenced_.end() && std::size_t(first->speed) == speed; ++first)
      mapped_end_[first->entry] = (ahead_[first->row] - behind_[first->row]) / (2 * near);
  }
  move_general_joints(h, theta);
  for (std::size_t u = 0; u < theta.size(); ++u) rate_[u] = theta[u] / h;
}

/// What the rows' errors are for increments theta. Leaves the joints and the rates there.
void MidpointStep::displacements_of_rows(double h, Numbers theta, NumbersOut out) {
  move_general_joints(h, theta);
  for (std::size_t u = 0; u < theta.size(); ++u) rate_[u] = theta[u] / h;
  if (has_velocity_rows_) midpoint_displacements(h, theta, out);
  if (!differences_positions_) return;
  move(1, theta, user_q_);
  tree::positions(workspace_, user_q_);
  constraints_.errors(workspace_, t_ + h, user_q_, velocity_errors_);
  for (int row = 0; row < num_rows(); ++row)
    if (constraints_.is_holonomic(row)) out[row] = velocity_errors_[row];
}

}  // namespace polhode::variational
