#include "polhode/tree/projection.h"

#include <algorithm>
#include <cmath>

#include "polhode/tree/chart_move.h"

namespace polhode::tree {
namespace {

constexpr double rounding = 1e-15;  // of errors in their units

/// By speed: the square of the change that counts as one unit. Massless parts count as very light ones.
std::vector<double> unit_changes_squared(std::size_t n, std::span<const double> unit_changes, Numbers inertias) {
  std::vector<double> result(n, 1.0);
  if (!unit_changes.empty()) {
    for (std::size_t k = 0; k < unit_changes.size() && k < n; ++k) result[k] = square(unit_changes[k]);
  } else if (!inertias.empty()) {
    constexpr double lightest = 1e-6;
    const double heaviest = *std::max_element(inertias.begin(), inertias.end());
    if (heaviest > 0 && std::isfinite(heaviest))
      for (std::size_t k = 0; k < n; ++k) result[k] = 1 / std::max(lightest, inertias[k] / heaviest);
  }
  return result;
}

/// [rad/s], or [m/s] as if at the end of an arm of a metre: what a gap is to be multiplied by to be one of velocities.
double fastest(Numbers u) {
  double most = 0;
  for (const double speed : u) most = std::max(most, std::abs(speed));
  return most;
}

}  // namespace

Projection::Projection(const Constraints& constraints, std::span<const Drive> drives, const Scaling& scaling, Numbers inertias)
    : constraints_(constraints), norm_(scaling.norm) {
  const Mechanism& m = constraints.mechanism();
  const std::size_t n = std::size_t(m.num_u()), rows = std::size_t(constraints.num_rows());
  weight_ = unit_changes_squared(n, scaling.unit_changes, inertias);
  position_.fixed.resize(n);
  velocity_.fixed.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    position_.fixed[k] = drives[k] == Drive::position || drives[k] == Drive::fast;
    velocity_.fixed[k] = position_.fixed[k] || drives[k] == Drive::velocity;
  }
  std::vector<double> units(rows, 1.0);
  if (!scaling.unit_errors.empty())
    for (std::size_t i = 0; i < rows; ++i) units[i] = scaling.unit_errors[std::size_t(constraints.element(int(i)))];
  plan(position_, false, units);
  for (std::size_t i = 0; i < rows; ++i)
    if (constraints.level(int(i)) == RowLevel::position) units[i] /= scaling.characteristic_time;  // (9.4)
  plan(velocity_, true, units);
  share_ = position_.rows.size() == velocity_.rows.size() && position_.fixed == velocity_.fixed;
  for (auto* numbers : {&errors_, &gaps_, &taken_}) numbers->resize(rows);
  values_.resize(std::size_t(constraints.num_entries()));
  change_.resize(n);
  row_.resize(n);
  q_.resize(std::size_t(m.num_q()));
}

void Projection::plan(Level& level, bool velocity_rows, std::span<const double> units) {
  for (int i = 0; i < constraints_.num_rows(); ++i) {
    const RowLevel of_row = constraints_.level(i);
    if (of_row == RowLevel::acceleration || (of_row == RowLevel::velocity && !velocity_rows)) continue;
    level.rows.push_back(i);
    level.unit.push_back(units[std::size_t(i)]);
  }
  const int m = int(level.rows.size());
  level.solver = linear::SemidefiniteSolver(m);
  level.matrix.resize(std::size_t(m) * m);
  level.y.resize(std::size_t(m));
}

Projection::Outcome Projection::judge(const Level& level, Numbers errors) const {
  Outcome out;
  double sum = 0, largest = 0;
  for (std::size_t i = 0; i < level.rows.size(); ++i) {
    const double e = std::abs(errors[std::size_t(level.rows[i])]) / level.unit[i];
    sum += e * e;
    if (e > largest || !(e == e)) largest = e, out.worst_row = level.rows[i];
  }
  if (!level.rows.empty()) out.error = norm_ == Scaling::Norm::rms ? std::sqrt(sum / double(level.rows.size())) : largest;
  return out;
}

/// T G W^-2 G^T T from the sparse rows; columns of speeds that are fixed are left out.
void Projection::factor(Level& level) {
  const std::span<const int> starts = constraints_.row_starts(), columns = constraints_.columns();
  const int m = int(level.rows.size());
  std::fill(row_.begin(), row_.end(), 0.0);
  for (int i = 0; i < m; ++i) {
    const int r = level.rows[i];
    for (int k = starts[r]; k < starts[r + 1]; ++k)
      row_[columns[k]] = level.fixed[columns[k]] ? 0 : weight_[columns[k]] * values_[k];
    for (int j = 0; j <= i; ++j) {
      const int s = level.rows[j];
      double sum = 0;
      for (int k = starts[s]; k < starts[s + 1]; ++k) sum += values_[k] * row_[columns[k]];
      level.matrix[std::size_t(i) * m + j] = sum / (level.unit[i] * level.unit[j]);
    }
    for (int k = starts[r]; k < starts[r + 1]; ++k) row_[columns[k]] = 0;
  }
  level.solver.factor(level.matrix.data());
  level.factored = true;
}

void Projection::correct(Level& level) {
  const std::span<const int> starts = constraints_.row_starts(), columns = constraints_.columns();
  if (!level.factored) factor(level);
  for (std::size_t i = 0; i < level.rows.size(); ++i) level.y[i] = errors_[std::size_t(level.rows[i])] / level.unit[i];
  level.solver.solve(level.y.data(), level.y.data());
  std::fill(change_.begin(), change_.end(), 0.0);
  for (std::size_t i = 0; i < level.rows.size(); ++i) {
    const int r = level.rows[i];
    for (int k = starts[r]; k < starts[r + 1]; ++k) change_[columns[k]] -= values_[k] * level.y[i] / level.unit[i];
  }
  for (std::size_t k = 0; k < change_.size(); ++k) change_[k] = level.fixed[k] ? 0 : weight_[k] * change_[k];
}

void Projection::leave_gaps(const Level& factors, const Level& level, double factor, double tolerance, Outcome& out) {
  if (factors.solver.rank() == int(factors.rows.size())) return;
  constraints_.multiply(values_, change_, taken_);
  for (std::size_t i = 0; i < level.rows.size(); ++i) {
    const std::size_t r = std::size_t(level.rows[i]);
    if (!(std::abs(errors_[r] + taken_[r]) <= std::max(tolerance * level.unit[i], factor * gaps_[r]))) return;
  }
  out = judge(level, taken_);
}

void Projection::move(NumbersOut q) {
  std::copy(q.begin(), q.end(), q_.begin());
  move_on_charts(constraints_.mechanism(), q_, change_, q);
}

// Within the tolerance one more correction follows, which squares what is left of the error. Accelerations keep the error as it
// is, and where constraints lose rank the configurations with an error e turn away from those with none at a distance of
// sqrt(e): error control follows them into another branch unless e is rounding. Equal four-bars that lie flat are an example.
Projection::Outcome Projection::positions(Workspace& w, double t, NumbersOut q, double tolerance) {
  constexpr int most = 12;
  position_.factored = velocity_.factored = false;
  Outcome out;
  double before = 0;
  bool polished = false;
  for (int correction = 0;; ++correction) {
    tree::positions(w, q);
    constraints_.errors_and_jacobian(w, t, q, errors_, values_);
    out = judge(position_, errors_);
    const bool corrected = out.error > tolerance && may_be_short(position_);
    if (corrected) {
      correct(position_);
      leave_gaps(position_, position_, 1, tolerance, out);
    }
    out.corrections = correction;
    if (out.error <= tolerance && (polished || out.error <= rounding)) break;
    polished = out.error <= tolerance;
    // The first factors serve as long as they bring the error down well: near the constraints that is all the way.
    const bool slow = correction > 0 && !(out.error < 0.2 * before);
    if (!polished && (correction == most || (slow && correction > 2 && !(out.error < before)))) {
      out.converged = false;
      break;
    }
    if (slow) position_.factored = false;
    before = out.error;
    if (slow || !corrected) correct(position_);
    move(q);
  }
  return out;
}

Projection::Outcome Projection::velocities(Workspace& w, double t, Numbers q, NumbersOut u, double tolerance) {
  constexpr int most = 4;
  Outcome out;
  for (int correction = 0;; ++correction) {
    kinematics(w, q, u);
    constraints_.velocity_errors(w, t, q, u, errors_);
    out = judge(velocity_, errors_);
    out.corrections = correction;
    if (out.error <= tolerance && (correction > 0 || out.error <= rounding)) break;
    Level& level = velocity_factors();
    // The equations are linear: a second correction is needed only where the factors are those of a nearby q.
    if (correction == 1) level.factored = false;
    const bool corrected = out.error > tolerance && may_be_short(level);
    if (corrected) {
      correct(level);
      leave_gaps(level, velocity_, fastest(u), tolerance, out);
      out.corrections = correction;
      if (out.error <= tolerance && (correction > 0 || out.error <= rounding)) break;
    }
    if (correction == most) {
      out.converged = false;
      break;
    }
    if (!corrected) correct(level);
    for (std::size_t k = 0; k < u.size(); ++k) u[k] += change_[k];
  }
  return out;
}

void Projection::remove_normal(Level& level, NumbersOut e) {
  if (level.rows.empty()) return;
  constraints_.multiply(values_, e, errors_);
  correct(level);
  for (std::size_t k = 0; k < e.size(); ++k) e[k] += change_[k];
}

}  // namespace polhode::tree
