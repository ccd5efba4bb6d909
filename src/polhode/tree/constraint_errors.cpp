#include "polhode/tree/constraint_errors.h"

#include <algorithm>
#include <cmath>

#include "polhode/tree/evaluators.h"

namespace polhode::tree {

std::span<const double> constraint_errors(const State& state, Workspace& w, Swept swept) {
  return state.on_request(RequestedNumber::constraint_errors, Stage::position, "constraint errors",
                          [&](std::vector<double>& errors) {
                            const Constraints& constraints = evaluators(w).constraints_of(state);
                            errors.resize(std::size_t(constraints.num_rows()));
                            if (errors.empty()) return;
                            if (swept == Swept::no) positions(w, state.q());
                            constraints.errors(w, state.time(), state.q(), errors);
                          });
}

std::span<const double> constraint_velocity_errors(const State& state, Workspace& w, Swept swept) {
  return state.on_request(RequestedNumber::velocity_errors, Stage::velocity, "constraints' velocity errors",
                          [&](std::vector<double>& errors) {
                            const Constraints& constraints = evaluators(w).constraints_of(state);
                            errors.resize(std::size_t(constraints.num_rows()));
                            if (errors.empty()) return;
                            if (swept == Swept::no) kinematics(w, state.q(), state.u());
                            constraints.velocity_errors(w, state.time(), state.q(), state.u(), errors);
                          });
}

namespace {

double of_row(std::span<const double> errors, const State& state, Workspace& w, int element, int row_of_owner) {
  Evaluators& e = evaluators(w);
  e.constraints_of(state);
  const int first = e.first_row[std::size_t(element)];
  return first < 0 ? 0.0 : errors[std::size_t(first + row_of_owner)];
}

}  // namespace

double constraint_error(const State& state, Workspace& w, int element, int row_of_owner) {
  return of_row(constraint_errors(state, w), state, w, element, row_of_owner);
}

double constraint_velocity_error(const State& state, Workspace& w, int element, int row_of_owner) {
  return of_row(constraint_velocity_errors(state, w), state, w, element, row_of_owner);
}

double largest_constraint_error(const State& state, Workspace& w, Swept swept) {
  double largest = 0;
  for (const double error : constraint_errors(state, w, swept)) largest = std::max(largest, std::abs(error));
  return largest;
}

}  // namespace polhode::tree
