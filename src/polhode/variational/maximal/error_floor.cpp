#include "polhode/variational/maximal/error_floor.h"

#include <algorithm>
#include <cmath>

#include "polhode/mechanism/body_size.h"
#include "polhode/tree/constraints.h"
#include "polhode/variational/maximal/acceptance.h"

namespace polhode::variational {

using maximal::row_width;

ErrorFloor::ErrorFloor(const StepEquations& equations, double tolerance)
    : tolerance_(tolerance),
      body_size_(largest_body(equations.constraints().mechanism())),
      last_errors_(equations.errors().size()),
      impulse_sizes_(2 * equations.inertias().size()) {}

void ErrorFloor::set_reach(double reach) { rounding_ = acceptance::of_reach * reach; }

double ErrorFloor::enough() const { return std::max(tolerance_, rounding_); }

void ErrorFloor::remember_errors(const StepEquations& equations) {
  std::copy(equations.errors().begin(), equations.errors().end(), last_errors_.begin());
}

bool ErrorFloor::are_gaps(const StepEquations& equations) const {
  const maximal::Constraints& constraints = equations.constraints();
  for (const auto& element : constraints.elements())
    for (int i = 0; i < element.num_rows; ++i) {
      double size = 0;
      for (const auto& side : constraints.sides(element)) {
        const double* const row = equations.jacobian_next().data() + side.first_value + i * row_width;
        size = std::max({size, size_of(angular(row)), size_of(linear_part(row)) * body_size_});
      }
      const double error = std::abs(equations.errors()[std::size_t(element.first_row + i)]);
      if (!(error <= std::max(enough(), tree::Constraints::gap * size))) return false;
    }
  return true;
}

bool ErrorFloor::only_gaps_are_left(const StepEquations& equations, double motion_error) const {
  const std::span<const double> errors = equations.errors();
  if (errors.empty() || !(motion_error <= enough())) return false;
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (!(std::abs(errors[i] - last_errors_[i]) <= enough())) return false;
  return are_gaps(equations);
}

double ErrorFloor::of_impulses(const StepEquations& equations, double h, std::span<const double> momenta,
                               std::span<const double> lambda) {
  const maximal::Constraints& constraints = equations.constraints();
  const std::span<const BodyInertia> inertias = equations.inertias();
  std::vector<double>& sums = impulse_sizes_;  // by body, angular and linear
  for (std::size_t b = 1; b < inertias.size(); ++b) {
    const double* const p = momenta.data() + b * row_width;
    sums[2 * b] = size_of(angular(p));
    sums[2 * b + 1] = size_of(linear_part(p));
  }
  for (const auto& element : constraints.elements())
    for (const auto& side : constraints.sides(element))
      for (int i = 0; i < element.num_rows; ++i) {
        const double* const row = equations.jacobian_here().data() + side.first_value + i * row_width;
        const double load = std::abs(lambda[std::size_t(element.first_row + i)]);
        sums[2 * std::size_t(side.body)] += load * size_of(angular(row));
        sums[2 * std::size_t(side.body) + 1] += load * size_of(linear_part(row));
      }
  double largest = 0;
  for (std::size_t b = 1; b < inertias.size(); ++b)
    largest = std::max(largest, inertias[b].per_rotation * sums[2 * b] + inertias[b].per_shift * sums[2 * b + 1]);
  return acceptance::of_impulses * std::abs(h) * largest;
}

}  // namespace polhode::variational
