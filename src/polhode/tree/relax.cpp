#include "polhode/tree/relax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/tree/applied_forces.h"

namespace polhode::tree {

Relaxation::Relaxation(const State& state, const RelaxationOptions& options)
    : mechanism_(state.mechanism()), options_(options), outside_(state) {
  if (!(options.tolerance > 0)) throw std::invalid_argument(fmt::format("tolerance {} must be positive", options.tolerance));
  const std::size_t n = std::size_t(mechanism_.num_u());
  for (auto* by_speed : {&tau_, &bias_, &rest_}) by_speed->resize(n);
  const auto is_fast = [](const DrivenSpeed& d) { return d.drive == Drive::fast; };
  const std::size_t most = std::size_t(std::count_if(mechanism_.driven().begin(), mechanism_.driven().end(), is_fast));
  fast_.reserve(most);
  for (auto* v : {&r_, &r_plus_, &r_minus_, &rounding_, &step_, &before_, &scale_}) v->reserve(most);
  for (auto* square : {&K_, &work_}) square->reserve(most * most);
  if (most > 0) constraints_.emplace(mechanism_);
  set(state);
}

void Relaxation::set(const State& state) {
  outside_.set(state);
  fast_.clear();
  for (const DrivenSpeed& d : mechanism_.driven())
    if (state.drives()[std::size_t(d.u)] == Drive::fast) fast_.push_back({d.q, d.u});
  const std::size_t n = fast_.size();
  for (auto* v : {&r_, &r_plus_, &r_minus_, &rounding_, &step_, &before_, &scale_}) v->resize(n);
  for (auto* square : {&K_, &work_}) square->resize(n * n);
  if (n > 0) refuse_constraints();
}

void Relaxation::refuse_constraints() const {
  std::vector<Problem> problems;
  for (int row = 0; row < constraints_->num_rows(); ++row) {
    for (const int u : constraints_->columns(row)) {
      const auto touched = std::find_if(fast_.begin(), fast_.end(), [&](const Axis& axis) { return axis.u == u; });
      if (touched == fast_.end()) continue;
      problems.push_back({fmt::format("{} holds what fast coordinate \"{}\" moves, but fast coordinates are found from forces "
                                      "alone; leave the coordinate to forces, or the constraint out",
                                      constraints_->row_name(row), mechanism_.coordinate_names()[std::size_t(touched->q)]),
                          {}});
      break;
    }
  }
  if (!problems.empty()) throw ModelError(std::move(problems));
}

void Relaxation::evaluate(Workspace& w, double t, Numbers q, Numbers u, Numbers z, std::vector<double>& r) {
  std::copy(outside_.applied_forces().begin(), outside_.applied_forces().end(), tau_.begin());
  add_all_forces(w, outside_.now(t, z), q, u, tau_);
  bias_forces(w, q, rest_, bias_);
  for (std::size_t i = 0; i < fast_.size(); ++i) {
    const std::size_t k = std::size_t(fast_[i].u);
    r[i] = tau_[k] - bias_[k];
    rounding_[i] = 1e-14 * (std::abs(tau_[k]) + std::abs(bias_[k]));
  }
}

/// K = -dr/dq, and the scale of its rows.
void Relaxation::differentiate(Workspace& w, double t, NumbersOut q, Numbers u, Numbers z) {
  const std::size_t n = fast_.size();
  for (std::size_t j = 0; j < n; ++j) {
    double& x = q[std::size_t(fast_[j].q)];
    const double x0 = x, h = 6e-6 * (1 + std::abs(x0));  // eps^(1/3): truncation and rounding alike
    x = x0 + h;
    evaluate(w, t, q, u, z, r_plus_);
    x = x0 - h;
    evaluate(w, t, q, u, z, r_minus_);
    x = x0;
    for (std::size_t i = 0; i < n; ++i) K_[i * n + j] = (r_minus_[i] - r_plus_[i]) / (2 * h);
  }
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(K_[i * n + i]));
  for (std::size_t i = 0; i < n; ++i) scale_[i] = std::max({std::abs(K_[i * n + i]), 1e-3 * largest, 1e-300});
}

/// Cholesky of the symmetric part, up to the first pivot that is not clearly positive.
bool Relaxation::is_positive_definite(double shift) {
  const std::size_t n = fast_.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      work_[i * n + j] = 0.5 * (K_[i * n + j] + K_[j * n + i]) + (i == j ? shift * scale_[i] : 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    double pivot = work_[j * n + j];
    for (std::size_t k = 0; k < j; ++k) pivot -= work_[j * n + k] * work_[j * n + k];
    if (!(pivot > 1e-9 * scale_[j])) return false;
    const double root = std::sqrt(pivot);
    work_[j * n + j] = root;
    for (std::size_t i = j + 1; i < n; ++i) {
      double x = work_[i * n + j];
      for (std::size_t k = 0; k < j; ++k) x -= work_[i * n + k] * work_[j * n + k];
      work_[i * n + j] = x / root;
    }
  }
  return true;
}

/// Gauss with partial pivoting; the rows of K may be far from symmetric where forces have no potential.
bool Relaxation::solve(double shift) {
  const std::size_t n = fast_.size();
  work_ = K_;  // of equal size: no allocation
  for (std::size_t i = 0; i < n; ++i) work_[i * n + i] += shift * scale_[i];
  step_ = r_;
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t p = j;
    for (std::size_t i = j + 1; i < n; ++i)
      if (std::abs(work_[i * n + j]) > std::abs(work_[p * n + j])) p = i;
    if (!(std::abs(work_[p * n + j]) > 0)) return false;
    if (p != j) {
      for (std::size_t k = 0; k < n; ++k) std::swap(work_[p * n + k], work_[j * n + k]);
      std::swap(step_[p], step_[j]);
    }
    for (std::size_t i = j + 1; i < n; ++i) {
      const double f = work_[i * n + j] / work_[j * n + j];
      for (std::size_t k = j; k < n; ++k) work_[i * n + k] -= f * work_[j * n + k];
      step_[i] -= f * step_[j];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) step_[i] -= work_[i * n + k] * step_[k];
    step_[i] /= work_[i * n + i];
  }
  return std::all_of(step_.begin(), step_.end(), [](double x) { return std::isfinite(x); });
}

bool Relaxation::find_step(bool& shifted) {
  shifted = !is_positive_definite(0);
  if (!shifted) return solve(0);
  for (double shift = 1e-3; shift < 1e6; shift *= 4)
    if (is_positive_definite(shift)) return solve(2 * shift);
  return false;
}

RelaxationReport Relaxation::relax(Workspace& w, double t, NumbersOut q, NumbersOut u, Numbers z) {
  RelaxationReport report;
  for (const Axis& axis : fast_) u[std::size_t(axis.u)] = 0;
  if (fast_.empty()) {
    report.converged = true;
    return report;
  }
  constexpr double longest = 0.5;  // [rad] or [m]: a step through places where the forces are quite other ones
  const auto size = [&](const std::vector<double>& r) {  // forces over stiffnesses: a length or an angle
    double sum = 0;
    for (std::size_t i = 0; i < r.size(); ++i) sum += (r[i] / scale_[i]) * (r[i] / scale_[i]);
    return std::sqrt(sum);
  };
  evaluate(w, t, q, u, z, r_);
  while (true) {
    bool balanced = true, finite = true;
    report.residual = 0, report.coordinate = fast_[0].q;
    for (std::size_t i = 0; i < fast_.size(); ++i) {
      balanced = balanced && std::abs(r_[i]) <= rounding_[i];
      finite = finite && std::isfinite(r_[i]);
      if (!(std::abs(r_[i]) <= report.residual)) report.residual = std::abs(r_[i]), report.coordinate = fast_[i].q;
    }
    report.converged = report.converged || balanced;
    if (report.converged || !finite || report.iterations == options_.max_iterations) return report;

    ++report.iterations;
    differentiate(w, t, q, u, z);
    bool shifted = false;
    if (!find_step(shifted)) return report;
    double most = 0, correction = 0;
    for (std::size_t i = 0; i < fast_.size(); ++i) {
      before_[i] = q[std::size_t(fast_[i].q)];
      most = std::max(most, std::abs(step_[i]));
      correction = std::max(correction, std::abs(step_[i]) / (1 + std::abs(before_[i])));
    }
    const double before = size(r_);
    double fraction = most > longest ? longest / most : 1;
    for (int halvings = 0;; ++halvings, fraction *= 0.5) {
      for (std::size_t i = 0; i < fast_.size(); ++i) q[std::size_t(fast_[i].q)] = before_[i] + fraction * step_[i];
      evaluate(w, t, q, u, z, r_);
      // Downhill from a place that is not stable the forces grow before they fall, so there only the length is limited.
      if (shifted || size(r_) <= (1 - 1e-4 * fraction) * before || correction <= options_.tolerance || halvings == 30) break;
    }
    report.converged = !shifted && correction <= options_.tolerance;
  }
}

std::string Relaxation::explain(double t, const RelaxationReport& report) const {
  if (report.coordinate < 0) return "there are no fast coordinates";
  const std::string& name = mechanism_.coordinate_names()[std::size_t(report.coordinate)];
  return report.converged
             ? fmt::format("t = {:.9g} s: fast coordinates are in equilibrium after {} iterations", t, report.iterations)
             : fmt::format(
                   "t = {:.9g} s: no equilibrium of the fast coordinates was found in {} iterations; a force of {:.3g} "
                   "(N or N m) is left on \"{}\". Start nearer to it, or leave the coordinate to forces",
                   t, report.iterations, report.residual, name);
}

}  // namespace polhode::tree
