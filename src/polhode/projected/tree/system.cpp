#include "polhode/projected/tree/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace polhode::projected {

System::System(const Mechanism& mechanism, const Options& options)
    : mechanism_(mechanism),
      options_(options),
      charts_(mechanism),
      workspace_(mechanism),
      dynamics_(State(mechanism)),
      projection_(dynamics_.constraints(), mechanism.drives(), options.scaling),
      relaxation_(State(mechanism)) {
  const std::size_t nu = std::size_t(num_u());
  along_.resize(nu);
  before_.resize(nu);
  q_before_.resize(std::size_t(num_q()));
  held_inertias_.resize(nu);
  free_inertias_.resize(nu);
  errors_.reserve(std::size_t(dynamics_.constraints().max_rows()));
  values_.reserve(std::size_t(dynamics_.constraints().max_entries()));
  // Speeds are chart coordinates' rates where the chart begins, one for one; line joints have one chart coordinate more, the
  // third.
  chart_of_speed_.resize(nu);
  for (const Joint& joint : mechanism.joints())
    for (int k = 0; k < joint.nu; ++k)
      chart_of_speed_[std::size_t(joint.first_u + k)] =
          joint.first_chart + k + (k >= 2 && joint.nchart > joint.nu ? joint.nchart - joint.nu : 0);
  unit_chart_.assign(std::size_t(num_chart()), 1.0);
  unit_uz_.assign(nu + std::size_t(num_z()), 1.0);
  for (std::size_t k = 0; k < std::min(nu, options.scaling.unit_changes.size()); ++k)
    unit_chart_[std::size_t(chart_of_speed_[k])] = unit_uz_[k] = options.scaling.unit_changes[k];
  for (std::size_t k = 0; k < std::min(std::size_t(num_z()), options.scaling.unit_changes_z.size()); ++k)
    unit_uz_[nu + k] = options.scaling.unit_changes_z[k];
  set(State(mechanism));
}

void System::set(const State& state) {
  dynamics_.set(state);
  tree::positions(workspace_, state.q());
  // Where the state is: weights need not follow the motion to be of use (Simbody theory manual 9.1).
  tree::hinge_inertias(workspace_, held_inertias_, free_inertias_);
  projection_.set(state.drives(), held_inertias_);
  relaxation_.set(state);
  tree::positions(workspace_, state.q());
  projection_.allow_gaps(workspace_);
  errors_.resize(std::size_t(num_rows()));
  values_.resize(std::size_t(dynamics_.constraints().num_entries()));
  moves_by_itself_ = dynamics_.motion().any() || relaxation_.any();
}

void System::set(const Outside& outside) {
  dynamics_.set(outside);
  relaxation_.set(outside);
}

void System::require_met(const State& state) {
  tree::require_met(dynamics_.constraints(), workspace_, state, errors_, values_);
}

bool System::derivatives(double t, const double* q, const double* u, const double* z, double* u_dot, double* z_dot) {
  const std::size_t nq = std::size_t(num_q()), nu = std::size_t(num_u()), nz = std::size_t(num_z());
  return dynamics_.evaluate(workspace_, t, {q, nq}, {u, nu}, {z, nz}, {u_dot, nu}, {z_dot, nz});
}

std::span<const double> System::motion_forces() const {
  if (!dynamics_.motion().any()) return {};
  return dynamics_.motion_forces();
}

bool System::relax(double t, double* q, double* u, const double* z) {
  if (!relaxation_.any()) return true;
  const std::size_t nq = std::size_t(num_q()), nu = std::size_t(num_u()), nz = std::size_t(num_z());
  relaxed_ = relaxation_.relax(workspace_, t, {q, nq}, {u, nu}, {z, nz});
  if (relaxed_.converged) return true;
  failed_level_ = nullptr;
  return false;
}

bool System::prescribe(double t, double* q, double* u, const double* z) {
  if (!moves_by_itself_) return true;
  const std::size_t nq = std::size_t(num_q()), nu = std::size_t(num_u());
  dynamics_.motion().prescribe_q(t, {q, nq});
  dynamics_.motion().prescribe_u(t, {q, nq}, {u, nu});
  return relax(t, q, u, z);
}

int System::jumping_speed(double t, const double* q) {
  const tree::DrivenMotion& motion = dynamics_.motion();
  const auto known = motion.known_speeds();
  if (std::all_of(known.begin(), known.end(), [](char is_known) { return is_known != 0; })) return -1;
  const std::span<const double> all_q{q, std::size_t(num_q())};
  motion.prescribe_u(std::nextafter(t, -std::numeric_limits<double>::infinity()), all_q, before_);
  motion.prescribe_u(t, all_q, along_);
  for (std::size_t k = 0; k < known.size(); ++k)
    if (known[k] && std::abs(along_[k] - before_[k]) > 1e-9 * std::max(1.0, std::abs(along_[k]))) return int(k);
  return -1;
}

bool System::failed(const tree::Projection::Outcome& outcome, const char* what) {
  if (outcome.converged) return false;
  failure_ = outcome;
  failed_level_ = what;
  return true;
}

bool System::project(double t, double* q, double* u, const double* z) {
  if (is_free()) return true;
  const std::span<double> all_q{q, std::size_t(num_q())}, all_u{u, std::size_t(num_u())};
  const tree::DrivenMotion& motion = dynamics_.motion();
  motion.prescribe_q(t, all_q);
  moved_ = 0;
  if (num_rows() > 0) {
    std::copy(all_q.begin(), all_q.end(), q_before_.begin());
    const auto positions = projection_.positions(workspace_, t, all_q, options_.constraint_tolerance());
    if (failed(positions, "position")) return false;
    for (std::size_t i = 0; i < all_q.size(); ++i) moved_ = std::max(moved_, std::abs(all_q[i] - q_before_[i]));
  }
  motion.prescribe_u(t, all_q, all_u);
  if (num_rows() > 0) {
    const auto velocities = projection_.velocities(workspace_, t, all_q, all_u, options_.constraint_tolerance());
    if (failed(velocities, "velocity")) return false;
  }
  return relax(t, q, u, z);
}

void System::project_error(double* e_chart, double* e_u) {
  if (is_free()) return;
  for (int k = 0; k < num_u(); ++k) along_[std::size_t(k)] = e_chart[chart_of_speed_[std::size_t(k)]];
  project_error_along_speeds(along_.data(), e_u);
  for (int k = 0; k < num_u(); ++k) e_chart[chart_of_speed_[std::size_t(k)]] = along_[std::size_t(k)];
}

void System::project_error_along_speeds(double* e_q, double* e_u) {
  if (is_free()) return;
  const tree::DrivenMotion& motion = dynamics_.motion();
  if (motion.any())
    for (int k = 0; k < num_u(); ++k) {
      if (motion.known_positions()[std::size_t(k)]) e_q[k] = 0;
      if (motion.known_speeds()[std::size_t(k)]) e_u[k] = 0;
    }
  if (num_rows() == 0) return;
  projection_.remove_normal_q({e_q, std::size_t(num_u())});
  projection_.remove_normal_u({e_u, std::size_t(num_u())});
}

std::string System::explain(double t) const {
  if (!failed_level_) return relaxation_.explain(t, relaxed_);
  const tree::Constraints& constraints = dynamics_.constraints();
  return fmt::format(
      "t = {:.9g} s: the constraints cannot be met: an error of {:.3g} is left at the {} level, {:.3g} is allowed{}", t,
      failure_.error, failed_level_, options_.constraint_tolerance(),
      failure_.worst_row >= 0 ? "; largest in " + constraints.row_name(failure_.worst_row) : std::string());
}

double System::norm(const double* e, int n) const {
  if (n == 0) return 0;
  double result = 0;
  const double* const unit = unit_chart_.data();
  if (options_.scaling.norm == tree::Scaling::Norm::infinity) {
    for (int i = 0; i < n; ++i) result = std::max(result, std::abs(e[i] / unit[i]));
    return result;
  }
  for (int i = 0; i < n; ++i) {
    const double x = e[i] / unit[i];
    result += x * x;
  }
  return std::sqrt(result / n);
}

double System::relative_norm(const double* e, const double* a, const double* b, const double* unit, int n) const {
  if (n == 0) return 0;
  double result = 0;
  const auto scaled = [&](int i) { return e[i] / std::max(unit[i], std::max(std::abs(a[i]), std::abs(b[i]))); };
  if (options_.scaling.norm == tree::Scaling::Norm::infinity) {
    for (int i = 0; i < n; ++i) result = std::max(result, std::abs(scaled(i)));
    return result;
  }
  for (int i = 0; i < n; ++i) {
    const double x = scaled(i);
    result += x * x;
  }
  return std::sqrt(result / n);
}

double System::error_norm(const double* e_chart, const double* e_u, const double* e_z, const double* uz0,
                          const double* uz1) const {
  const int nu = num_u();
  const double of_q = norm(e_chart, num_chart());
  const double of_u = relative_norm(e_u, uz0, uz1, unit_uz_.data(), nu);
  const double of_z = relative_norm(e_z, uz0 + nu, uz1 + nu, unit_uz_.data() + nu, num_z());
  return std::max({of_q, of_u, of_z}) / options_.accuracy;
}

}  // namespace polhode::projected
