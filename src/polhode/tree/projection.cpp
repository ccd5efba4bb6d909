#include "polhode/tree/projection.h"

#include <algorithm>
#include <cmath>

#include "polhode/tree/chart_move.h"

namespace polhode::tree {
namespace {

constexpr double rounding = 1e-15;  // of errors in their units

/// By speed: the square of the change that counts as one unit. Massless parts count as very light ones.
void put_unit_changes_squared(std::span<const double> unit_changes, Numbers inertias, NumbersOut result) {
  std::fill(result.begin(), result.end(), 1.0);
  const std::size_t n = result.size();
  if (!unit_changes.empty()) {
    for (std::size_t k = 0; k < unit_changes.size() && k < n; ++k) result[k] = square(unit_changes[k]);
  } else if (!inertias.empty()) {
    constexpr double lightest = 1e-6;
    const double heaviest = *std::max_element(inertias.begin(), inertias.end());
    if (heaviest > 0 && std::isfinite(heaviest))
      for (std::size_t k = 0; k < n; ++k) result[k] = 1 / std::max(lightest, inertias[k] / heaviest);
  }
}

/// [rad/s], or [m/s] as if at the end of an arm of a metre: what a gap is to be multiplied by to be one of velocities.
double fastest(Numbers u) {
  double most = 0;
  for (const double speed : u) most = std::max(most, std::abs(speed));
  return most;
}

}  // namespace

Projection::Projection(const Constraints& constraints, std::span<const Drive> drives, const Scaling& scaling, Numbers inertias)
    : constraints_(constraints), scaling_(scaling) {
  const Mechanism& m = constraints.mechanism();
  const std::size_t n = std::size_t(m.num_u());
  for (auto* by_speed : {&weight_, &change_, &row_}) by_speed->resize(n);
  q_.resize(std::size_t(m.num_q()));
  for (auto* by_row : {&errors_, &gaps_, &taken_}) by_row->reserve(std::size_t(constraints.max_rows()));
  values_.reserve(std::size_t(constraints.max_entries()));
  reserve(position_);
  reserve(velocity_);
  set(drives, inertias);
}

/// For all rows of the constraints.
void Projection::reserve(Level& level) const {
  const std::size_t most = std::size_t(constraints_.max_rows());
  level.rows.reserve(most);
  for (auto* by_row : {&level.unit, &level.y}) by_row->reserve(most);
  level.matrix.reserve(most * most);
  level.solver.resize(int(most));
  level.fixed.resize(std::size_t(constraints_.mechanism().num_u()));
}

void Projection::set(std::span<const Drive> drives, Numbers inertias) {
  put_unit_changes_squared(scaling_.unit_changes, inertias, weight_);
  for (std::size_t k = 0; k < weight_.size(); ++k) {
    position_.fixed[k] = drives[k] == Drive::position || drives[k] == Drive::fast;
    velocity_.fixed[k] = position_.fixed[k] || drives[k] == Drive::velocity;
  }
  plan(position_, RowLevel::position);
  plan(velocity_, RowLevel::velocity);
  share_ = position_.rows.size() == velocity_.rows.size() && position_.fixed == velocity_.fixed;
  for (auto* by_row : {&errors_, &gaps_, &taken_}) by_row->assign(std::size_t(constraints_.num_rows()), 0.0);
  values_.assign(std::size_t(constraints_.num_entries()), 0.0);
  std::fill(row_.begin(), row_.end(), 0.0);
}

/// The error of a row that counts as one unit.
double Projection::unit_error(int row, RowLevel up_to) const {
  const std::vector<double>& by_element = scaling_.unit_errors;
  const double unit = by_element.empty() ? 1.0 : by_element[std::size_t(constraints_.element(row))];
  return up_to == RowLevel::velocity && constraints_.is_holonomic(row) ? unit / scaling_.characteristic_time : unit;  // (9.4)
}

void Projection::plan(Level& level, RowLevel up_to) {
  level.rows.clear();
  level.unit.clear();
  for (int i = 0; i < constraints_.num_rows(); ++i) {
    if (constraints_.level(i) > up_to) continue;
    level.rows.push_back(i);
    level.unit.push_back(unit_error(i, up_to));
  }
  const std::size_t m = level.rows.size();
  level.solver.resize(int(m));
  level.matrix.resize(m * m);
  level.y.resize(m);
  level.factored = false;
}

Projection::Outcome Projection::judge(const Level& level, Numbers errors) const {
  Outcome out;
  double sum = 0, largest = 0;
  for (std::size_t i = 0; i < level.rows.size(); ++i) {
    const double e = std::abs(errors[std::size_t(level.rows[i])]) / level.unit[i];
    sum += e * e;
    if (e > largest || !(e == e)) largest = e, out.worst_row = level.rows[i];
  }
  if (!level.rows.empty())
    out.error = scaling_.norm == Scaling::Norm::rms ? std::sqrt(sum / double(level.rows.size())) : largest;
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
