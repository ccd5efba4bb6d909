#include "polhode/variational/tree/midpoint_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/mechanism/forces/force_loads.h"
#include "polhode/variational/tree/acceptance.h"

namespace polhode::variational {
namespace {

bool all_finite(std::span<const double> x) {
  double sum = 0;
  for (const double a : x) sum += 0 * a;  // nan or 0
  return sum == 0;
}

}  // namespace

MidpointStep::MidpointStep(const Mechanism& mechanism, double alpha, const NewtonOptions& options)
    : mechanism_(mechanism),
      alpha_(alpha),
      options_(options),
      tree_(mechanism),
      constraints_(mechanism),
      kernels_(&newton_kernels()),
      memory_(*kernels_, tree_),
      workspace_(mechanism),
      has_forces_(mechanism.forces().act_on_bodies() || mechanism.forces().act_on_coordinates()),
      stiff_(mechanism, options.step),
      coupled_(0),
      outside_(State(mechanism)),
      paths_(mechanism),
      schur_solver_(0) {
  const std::size_t n = std::size_t(mechanism.num_u()), padded = (n + 7) / 8 * 8;
  for (auto* by_coordinate : {&q_, &user_q_, &end_q_}) by_coordinate->resize(std::size_t(mechanism.num_q()));
  for (auto* x : {&q_mid_, &rate_}) x->resize(padded);
  for (auto* x : {&p_, &momentum_, &force_, &tau_, &stiffness_, &p_hat_, &residual_, &delta_, &next_delta_, &start_theta_,
                  &user_u_, &driving_, &near_theta_})
    x->resize(n);
  differenced_.reserve(std::size_t(constraints_.max_entries()));
  size_for(constraints_.max_rows(), constraints_.max_entries());
  stiff_left_.resize(n * std::size_t(stiff_.num_rows()));
  // Loops must close whatever is asked of coordinates, as far as numbers of the mechanism's size can tell.
  double reach = 1;
  for (const Link& link : tree_.links()) reach += std::hypot(link.p_PF[0], link.p_PF[1], link.p_PF[2]);
  gap_allowed_ = std::max(std::min(options_.tolerance, 1e-11), 16 * std::numeric_limits<double>::epsilon() * reach);
  tree_.hold(paths_.driven());
  general_.resize(tree_.general().size());
  for (const GeneralJoint& joint : tree_.general()) general_steps_.emplace_back(joint, mechanism_.joints()[joint.joint]);
}

bool MidpointStep::set_enabled(std::span<const char> enabled) {
  if (!constraints_.set_active(enabled)) return false;
  size_for(constraints_.num_rows(), constraints_.num_entries());
  return true;
}

void MidpointStep::set_driven(const State& state) {
  paths_.set(state);
  tree_.hold(paths_.driven());
  std::fill(driving_.begin(), driving_.end(), 0.0);
}

/// All rows come first, so that fewer of them find memory enough.
void MidpointStep::size_for(int rows, int entries) {
  coupled_ = rows + stiff_.num_rows();
  end_rows_known_ = false;
  const std::size_t n = residual_.size(), coupled = std::size_t(coupled_);
  for (auto* by_row :
       {&gaps_, &errors_, &delta_lambda_, &next_delta_lambda_, &start_lambda_, &velocity_errors_, &ahead_, &behind_})
    by_row->assign(std::size_t(rows), 0.0);
  for (auto* by_entry : {&start_rows_, &end_rows_, &mapped_start_, &mapped_end_}) by_entry->assign(std::size_t(entries), 0.0);
  for (auto* by_column : {&columns_, &solved_columns_}) by_column->resize(n * coupled);
  schur_.resize(coupled * coupled);
  coupled_unknowns_.resize(coupled);
  schur_solver_.resize(coupled_);
  find_differenced_entries();
}

StepData MidpointStep::data(double h) const {
  return {tree_.links().data(),
          int(tree_.links().size()),
          tree_.num_u(),
          tree_.gravity(),
          h,
          alpha_,
          q_mid_.data(),
          rate_.data(),
          const_cast<GeneralMotion*>(general_.data()),
          stiffness_.data()};
}

void MidpointStep::allow_gaps(Numbers q) {
  if (num_rows() == 0) return;
  tree::positions(workspace_, q);
  constraints_.gaps(workspace_, gaps_);
}

void MidpointStep::start(double t, Numbers q, Numbers p, Numbers applied) {
  outside_.set_applied_forces(mechanism_, applied);
  start(t, q, p, outside_);
}

void MidpointStep::start(double t, Numbers q, Numbers p, const Outside& outside) {
  t_ = t;
  outside_ = outside;
  std::copy(q.begin(), q.end(), q_.begin());
  std::copy(p.begin(), p.end(), p_.begin());
  // Coordinates are stored with this much rounding: an angle of 8000 rad already with more than 1e-12.
  double largest = 0;
  for (const int coordinate : tree_.coordinate_of_speed())
    if (coordinate >= 0) largest = std::max(largest, std::abs(q_[coordinate]));
  resolution_ = 4 * std::numeric_limits<double>::epsilon() * largest;
  for (std::size_t g = 0; g < general_.size(); ++g) general_steps_[g].start(q_.data());
  if (num_rows() > 0) find_start_rows();
}

void MidpointStep::move(double fraction, Numbers theta, NumbersOut q1) const {
  const auto& coordinate = tree_.coordinate_of_speed();
  for (std::size_t u = 0; u < coordinate.size(); ++u)
    if (coordinate[u] >= 0) q1[coordinate[u]] = q_[coordinate[u]] + fraction * theta[u];
  for (std::size_t g = 0; g < general_steps_.size(); ++g)
    general_steps_[g].apply([&](auto& step) { step.finish(theta.data() + tree_.general()[g].first_u, fraction, q1.data()); });
}

void MidpointStep::increment_to(Numbers q1, NumbersOut theta) const {
  const auto& coordinate = tree_.coordinate_of_speed();
  for (std::size_t u = 0; u < coordinate.size(); ++u)
    if (coordinate[u] >= 0) theta[u] = q1[coordinate[u]] - q_[coordinate[u]];
  for (std::size_t g = 0; g < general_steps_.size(); ++g)
    general_steps_[g].apply([&](auto& step) { step.increment_to(q1.data(), theta.data() + tree_.general()[g].first_u); });
}

void MidpointStep::prescribe(double h, NumbersOut theta) const {
  for (const int u : paths_.speeds()) theta[std::size_t(u)] = paths_.increment(u, t_, h, q_);
  for (const DrivenOrientation* motion : paths_.orientations()) {
    const Joint& joint = mechanism_.joints()[std::size_t(motion->joint)];
    const Quaternion<double> there = motion->orientation.at(t_ + h).q;
    double q[4];
    put_quaternion(there, q);
    const Vec3<double> turn = turn_between(joint.model, q_.data() + joint.first_q, q);
    for (int k = 0; k < 3; ++k) theta[std::size_t(joint.first_u + k)] = turn[std::size_t(k)];
  }
}

void MidpointStep::move_general_joints(double h, Numbers theta) {
  for (std::size_t g = 0; g < general_.size(); ++g)
    general_steps_[g].apply([&](auto& step) { step.move(theta.data() + tree_.general()[g].first_u, h, alpha_, general_[g]); });
}

/// Coordinates and speeds of the mechanism at the midpoint.
void MidpointStep::midpoint_as_user_sees_it(double h, Numbers theta) {
  move(alpha_, theta, user_q_);
  std::copy(rate_.begin(), rate_.begin() + std::ptrdiff_t(user_u_.size()), user_u_.begin());
  for (std::size_t g = 0; g < general_.size(); ++g) {
    const int u = tree_.general()[g].first_u;
    general_steps_[g].apply([&](auto& step) { step.speeds_at_midpoint(theta.data() + u, h, alpha_, user_u_.data() + u); });
  }
}

/// Generalized forces at the midpoint, and the part of their derivatives that each coordinate has with itself.
void MidpointStep::add_forces(double h, Numbers theta) {
  std::copy(outside_.applied_forces().begin(), outside_.applied_forces().end(), tau_.begin());
  if (!has_forces_) return;
  midpoint_as_user_sees_it(h, theta);
  tree::add_all_forces(workspace_, now(h), user_q_, user_u_, tau_);
  std::fill(stiffness_.begin(), stiffness_.end(), 0.0);
  const double b = h * (1 - alpha_);
  mechanism_.forces().for_each([&]<class F>(const F& f) {
    if constexpr (CoordinateForceType<F>) {
      if (!f.depends_on_position() && !f.depends_on_velocity()) return;
      const std::size_t u = std::size_t(f.coordinate.u);
      const double q = f.depends_on_position() ? user_q_[std::size_t(f.coordinate.q)] : 0;
      const CoordinateSlopes slopes = coordinate_slopes(f, now(h), q, user_u_[u]);
      stiffness_[u] += b * (alpha_ * slopes.by_position + slopes.by_speed / h);
    }
  });
  stiff_.add_own_slopes(now(h), user_q_, user_u_, b, alpha_, h, stiffness_);
}

void MidpointStep::residuals(double h, Numbers theta, Numbers lambda) {
  std::copy(p_.begin(), p_.end(), p_hat_.begin());
  for (int row = 0; row < num_rows(); ++row) {
    const auto columns = constraints_.columns(row);
    const double* values = start_rows_.data() + constraints_.row_starts()[row];
    for (std::size_t k = 0; k < columns.size(); ++k) p_hat_[columns[k]] -= values[k] * lambda[row];
  }
  const double b = h * (1 - alpha_);
  for (std::size_t u = 0; u < residual_.size(); ++u) residual_[u] = p_hat_[u] + b * (force_[u] + tau_[u]) - momentum_[u];
  for (std::size_t g = 0; g < general_.size(); ++g) {
    const int u = tree_.general()[g].first_u;
    general_steps_[g].apply([&](auto& step) { step.add_force(theta.data() + u, alpha_, tau_.data() + u, general_[g]); });
    general_steps_[g].apply(
        [&](auto& step) { step.residual(theta.data() + u, p_hat_.data() + u, h, alpha_, general_[g], residual_.data() + u); });
  }
}

void MidpointStep::evaluate(double h, Numbers theta, Numbers lambda) {
  const auto& coordinate = tree_.coordinate_of_speed();
  const double per_h = 1 / h;
  for (std::size_t u = 0; u < theta.size(); ++u) {
    rate_[u] = per_h * theta[u];
    if (coordinate[u] >= 0) q_mid_[u] = q_[coordinate[u]] + alpha_ * theta[u];
  }
  move_general_joints(h, theta);
  kernels_->evaluate(data(h), memory_.block(), momentum_.data(), force_.data());
  add_forces(h, theta);
  residuals(h, theta, lambda);
  if (num_rows() > 0) evaluate_rows(h, theta);
}

/// Corrections by their root mean square: one that is large in a few joints of a long chain does not make the others wrong.
void MidpointStep::measure(NewtonReport& report, Numbers correction) const {
  double squares = 0, largest = -1;
  for (std::size_t u = 0; u < correction.size(); ++u) {
    squares += correction[u] * correction[u];
    if (const double size = std::abs(correction[u]); size > largest) largest = size, report.worst_speed = int(u);
  }
  report.correction = std::sqrt(squares / double(std::max<std::size_t>(1, correction.size())));
  report.constraint_error = 0, report.worst_row = -1;
  for (int row = 0; row < num_rows(); ++row)
    if (const double size = error_of_row(row, correction); size > report.constraint_error || report.worst_row < 0)
      report.constraint_error = size, report.worst_row = row;
  if (!all_finite(correction) || !all_finite(errors_)) report.status = NewtonReport::Status::not_finite;
}

void MidpointStep::factor(double h, Numbers theta) {
  for (std::size_t g = 0; g < general_.size(); ++g) {
    const int u = tree_.general()[g].first_u;
    general_steps_[g].apply([&](auto& step) { step.curvature(theta.data() + u, p_hat_.data() + u, h, alpha_, general_[g]); });
  }
  kernels_->factor(data(h), memory_.block());
  if (coupled_ > 0) factor_coupled(h, theta);
}

/// Constraints make the system [K -G0^T; G1 0], stiff forces [K -R; L -1]: with Y = K^-1 (G0^T, R), factors what is left of the
/// second rows.
void MidpointStep::factor_coupled(double h, Numbers theta) {
  const std::size_t n = residual_.size();
  std::fill(columns_.begin(), columns_.end(), 0.0);
  if (num_rows() > 0) put_constraint_columns(h, theta);
  if (stiff_.num_rows() > 0) put_stiff_columns(h, theta);
  for (double& x : columns_) x = -x;  // solve() takes residuals
  kernels_->solve(data(h), memory_.block(), coupled_, columns_.data(), solved_columns_.data());
  for (int i = 0; i < coupled_; ++i)
    for (int j = 0; j < coupled_; ++j)
      schur_[std::size_t(i) * coupled_ + j] =
          row_times(i, solved_columns_.data() + j * n) - (i == j && i >= num_rows() ? 1 : 0);
  schur_solver_.factor(schur_.data());
}

void MidpointStep::put_stiff_columns(double h, Numbers theta) {
  const std::size_t n = residual_.size();
  midpoint_as_user_sees_it(h, theta);
  stiff_.evaluate(workspace_, now(h), user_q_, user_u_, h * (1 - alpha_), alpha_, h,
                  std::span<double>(columns_).subspan(std::size_t(num_rows()) * n), stiff_left_);
}

double MidpointStep::row_times(int i, const double* delta) const {
  double sum = 0;
  if (i >= num_rows()) {
    const double* const left = stiff_left_.data() + std::size_t(i - num_rows()) * residual_.size();
    for (std::size_t u = 0; u < residual_.size(); ++u) sum += left[u] * delta[u];
    return sum;
  }
  const auto columns = constraints_.columns(i);
  const double* const values = mapped_end_.data() + constraints_.row_starts()[i];
  for (std::size_t k = 0; k < columns.size(); ++k) sum += values[k] * delta[columns[k]];
  return sum;
}

/// delta = -K^-1 r + Y x with the unknowns x of the small system: changes of multipliers, then of stiff forces.
void MidpointStep::correction(double h, NumbersOut delta, NumbersOut delta_lambda) {
  kernels_->solve(data(h), memory_.block(), 1, residual_.data(), delta.data());
  if (coupled_ == 0) return;
  const std::size_t n = residual_.size();
  for (int i = 0; i < coupled_; ++i) coupled_unknowns_[i] = -row_times(i, delta.data()) - (i < num_rows() ? errors_[i] : 0.0);
  schur_solver_.solve(coupled_unknowns_.data(), coupled_unknowns_.data());
  for (int j = 0; j < coupled_; ++j) {
    const double* const y = solved_columns_.data() + j * n;
    for (std::size_t u = 0; u < n; ++u) delta[u] += y[u] * coupled_unknowns_[j];
  }
  std::copy_n(coupled_unknowns_.begin(), num_rows(), delta_lambda.begin());
}

/// Newton's iteration with Deuflhard's natural monotonicity test: a correction is taken in full, or in part, if the same
/// matrix then asks for a smaller one. Lengths of corrections mean something in every coordinate, residuals of a long chain
/// do not. Where one more correction by the same matrix will do, it serves again.
NewtonReport MidpointStep::solve(double h, NumbersOut theta, NumbersOut lambda, NumbersOut q1, NumbersOut p1) {
  using Status = NewtonReport::Status;
  NewtonReport now;
  prescribe(h, theta);
  evaluate(h, theta, lambda);
  double curvature = 0;  // the next full correction is about this times the square of the last
  bool converged = false;
  while (!converged && now.iterations < options_.max_iterations) {
    factor(h, theta);
    correction(h, delta_, delta_lambda_);
    measure(now, delta_);
    if (now.status == Status::not_finite) return now;
    double before = now.correction, fraction = 1;
    bool fresh = true;  // the matrix belongs to where the correction starts
    std::copy(theta.begin(), theta.end(), start_theta_.begin());
    std::copy(lambda.begin(), lambda.end(), start_lambda_.begin());
    for (;;) {
      ++now.iterations;
      for (std::size_t u = 0; u < theta.size(); ++u) theta[u] = start_theta_[u] + fraction * delta_[u];
      for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] = start_lambda_[i] + fraction * delta_lambda_[i];
      evaluate(h, theta, lambda);
      correction(h, next_delta_, next_delta_lambda_);
      now.status = Status::converged;
      measure(now, next_delta_);
      const bool finite = now.status == Status::converged;
      converged = finite && is_close(now, fresh ? curvature * before * before : 0);
      if (converged) break;
      if (finite && now.correction <= (1 - 0.25 * fraction) * before) {
        if (fraction == 1 && fresh) curvature = now.correction / (before * before);
        const bool same_matrix_will_do = now.correction * now.correction <= options_.tolerance * before;
        if (fraction < 1 || !same_matrix_will_do || now.iterations >= options_.max_iterations) break;
        before = now.correction;
        fresh = false;
        std::copy(theta.begin(), theta.end(), start_theta_.begin());
        std::copy(lambda.begin(), lambda.end(), start_lambda_.begin());
        delta_.swap(next_delta_);
        delta_lambda_.swap(next_delta_lambda_);
        continue;
      }
      fraction *= 0.5;
      if (fraction < acceptance::least_fraction || now.iterations >= options_.max_iterations) {
        now.status = finite ? Status::no_convergence : Status::not_finite;
        return now;
      }
    }
  }
  if (!converged) now.status = Status::no_convergence;
  if (converged) {
    polish(h, theta, lambda, now);
    finish(h, theta, q1, p1);
  }
  return now;
}

/// Coordinates may be within tolerance and the forces not yet in balance: 1e-12 m are 1e-3 N of a spring with 1e9 N/m, however
/// weak the forces are that it carries. Then the correction that is at hand is made too, and so is one that was taken for
/// rounding. Rows are judged by their own terms, but by no less than what rounding in the largest leaves of them.
void MidpointStep::polish(double h, NumbersOut theta, NumbersOut lambda, NewtonReport& report) {
  using acceptance::balanced, acceptance::weakest;
  const double b = std::abs(h * (1 - alpha_));
  const auto size = [&](std::size_t u) {
    return std::abs(p_hat_[u]) + std::abs(momentum_[u]) + b * (std::abs(force_[u]) + std::abs(tau_[u]));
  };
  double largest = 0;
  for (std::size_t u = 0; u < residual_.size(); ++u) largest = std::max(largest, size(u));
  bool in_balance = report.correction <= options_.tolerance + resolution_;
  for (std::size_t u = 0; u < residual_.size() && in_balance; ++u)
    in_balance = paths_.driven()[u] || std::abs(residual_[u]) <= balanced * (size(u) + weakest * largest);
  if (in_balance) return;
  ++report.iterations;
  for (std::size_t u = 0; u < theta.size(); ++u) theta[u] += next_delta_[u];
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] += next_delta_lambda_[i];
  evaluate(h, theta, lambda);
}

/// Within tolerance, or as near as arithmetic goes: corrections are small, and yet far from what they should have come down to.
bool MidpointStep::is_close(const NewtonReport& now, double expected) const {
  if (now.constraint_error > gap_allowed_ + resolution_) return false;
  return now.correction <= options_.tolerance + resolution_ ||
         (expected > 0 && expected < acceptance::expected_part * now.correction && now.correction <= acceptance::round_off);
}

void MidpointStep::finish(double h, Numbers theta, NumbersOut q1, NumbersOut p1) {
  move(1, theta, q1);
  for (std::size_t u = 0; u < p1.size(); ++u) p1[u] = p_hat_[u] + h * (force_[u] + tau_[u]);
  for (std::size_t g = 0; g < general_.size(); ++g) {
    const int u = tree_.general()[g].first_u;
    general_steps_[g].apply(
        [&](auto& step) { step.momentum_at_end(theta.data() + u, p_hat_.data() + u, h, alpha_, general_[g], p1.data() + u); });
  }
  if (paths_.any()) finish_driven(h, theta, q1, p1);
}

/// Momenta that belong to the increments that were given, and the forces that make up for the difference.
void MidpointStep::finish_driven(double h, Numbers theta, NumbersOut q1, NumbersOut p1) {
  for (const int i : paths_.speeds()) {
    const std::size_t u = std::size_t(i);
    driving_[u] = -residual_[u] / h;
    p1[u] = momentum_[u] + h * alpha_ * (force_[u] + tau_[u]);
  }
  for (std::size_t g = 0; g < general_.size(); ++g) {
    const GeneralJoint& joint = tree_.general()[g];
    if (!tree_.links()[std::size_t(joint.link)].held) continue;
    double p[GeneralMotion::most];
    general_steps_[g].apply(
        [&](auto& step) { step.momentum_of_increment(theta.data() + joint.first_u, h, alpha_, general_[g], p); });
    // What impulses have made of the momentum at the start, and what is missing, at the end and about the axes there.
    for (int i = 0; i < joint.nu; ++i) driving_[std::size_t(joint.first_u + i)] = p[i];
    general_steps_[g].apply([&](auto& step) {
      step.momentum_at_end(theta.data() + joint.first_u, p_hat_.data() + joint.first_u, h, alpha_, general_[g], p);
    });
    for (int i = 0; i < joint.nu; ++i) {
      double& force = driving_[std::size_t(joint.first_u + i)];
      p1[std::size_t(joint.first_u + i)] = force;
      force = (force - p[i]) / h;
    }
  }
  paths_.put_coordinates(t_ + h, q1);
}

void MidpointStep::momentum_of_increment(double h, Numbers theta, NumbersOut p1) {
  std::fill(start_lambda_.begin(), start_lambda_.end(), 0.0);
  evaluate(h, theta, start_lambda_);
  for (std::size_t u = 0; u < p1.size(); ++u) p1[u] = momentum_[u] + h * alpha_ * (force_[u] + tau_[u]);
  for (std::size_t g = 0; g < general_.size(); ++g) {
    const int u = tree_.general()[g].first_u;
    general_steps_[g].apply(
        [&](auto& step) { step.momentum_of_increment(theta.data() + u, h, alpha_, general_[g], p1.data() + u); });
  }
}

}  // namespace polhode::variational
