#include "polhode/tree/require_met.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace polhode::tree {
namespace {

/// Of angles, of the largest body, and of the speeds of a row's own: an interpolated state is nearer by far, and what misses by
/// more has not been assembled.
constexpr double allowed = 1e-3;

[[noreturn]] void refuse(const Constraints& constraints, int row, double error, double most, const char* unit) {
  throw std::invalid_argument(
      fmt::format("the state misses its constraints: {} is off by {:.3g}{}, at most {:.3g} is allowed. Call "
                  "tree::assemble(state) first, which brings a state onto its constraints; study::simulate does so by itself",
                  constraints.row_name(row), error, unit, most));
}

}  // namespace

void require_met(const Constraints& constraints, Workspace& w, const State& state, NumbersOut errors, NumbersOut values) {
  const int m = constraints.num_rows();
  if (m == 0) return;
  kinematics(w, state.q(), state.u());
  constraints.errors_and_jacobian(w, state.time(), state.q(), errors, values);
  const double most = allowed * std::max(1.0, constraints.body_size());
  for (int row = 0; row < m; ++row)
    if (const double error = std::abs(errors[std::size_t(row)]); !(error <= most)) refuse(constraints, row, error, most, "");
  constraints.velocity_errors(w, state.time(), state.q(), state.u(), errors);
  for (int row = 0; row < m; ++row) {
    double size = 0, fastest = 0;  // the latter for rows that count as redundant, whose numbers are not there
    for (int k = constraints.row_starts()[row]; k < constraints.row_starts()[row + 1]; ++k) {
      const double u = std::abs(state.u()[std::size_t(constraints.columns()[k])]);
      size += std::abs(values[std::size_t(k)]) * u;
      fastest = std::max(fastest, u);
    }
    const double of_speeds =
        std::max(allowed * std::max(1e-3, size), Constraints::gap * fastest * std::max(1.0, constraints.body_size()));
    if (const double error = std::abs(errors[std::size_t(row)]); !(error <= of_speeds))
      refuse(constraints, row, error, of_speeds, " per second");
  }
}

MetCheck::MetCheck(const Mechanism& mechanism) : workspace_(mechanism), constraints_(mechanism) {
  // Of order one, and none like another: what they do to a row does not cancel.
  for (int k = 0; k < mechanism.num_u(); ++k) speeds_.push_back(1 + 1 / (2.0 + k));
  size_for(constraints_.max_rows(), constraints_.max_entries());
}

void MetCheck::size_for(int rows, int entries) {
  errors_.resize(std::size_t(rows));
  values_.resize(std::size_t(entries));
}

void MetCheck::require(const State& state) {
  if (constraints_.set_active(state.enabled())) size_for(constraints_.num_rows(), constraints_.num_entries());
  require_met(constraints_, workspace_, state, errors_, values_);
}

MetCheck::RowsWithoutMotion MetCheck::rows_without_motion(const State& state) {
  const Constraints& constraints = constraints_;
  const double rounding = 1e-11 * std::max(1.0, constraints.body_size());
  const auto is_without = [&](int row) {
    const auto values = values_.begin();
    return std::all_of(values + constraints.row_starts()[row], values + constraints.row_starts()[row + 1],
                       [](double value) { return value == 0; });
  };
  RowsWithoutMotion rows;
  for (int row = 0; row < constraints.num_rows(); ++row) rows.count += is_without(row);
  if (rows.count == 0) return rows;
  constraints.apply(workspace_, state.time(), state.q(), speeds_, errors_);
  for (int row = 0; row < constraints.num_rows(); ++row)
    if (is_without(row) && std::abs(errors_[std::size_t(row)]) > rounding) rows.exactly = false;
  return rows;
}

}  // namespace polhode::tree
