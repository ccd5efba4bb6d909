#include "polhode/tree/evaluators.h"

namespace polhode::tree {

ConstrainedDynamics& Evaluators::dynamics_of(const State& state) {
  if (dynamics) {
    dynamics->set(state);
  } else {
    dynamics.emplace(state);
  }
  return *dynamics;
}

const Constraints& Evaluators::constraints_of(const State& state) {
  const bool is_new = !constraints;
  if (is_new) constraints.emplace(state.mechanism(), state.enabled());
  if (!constraints->set_active(state.enabled()) && !is_new) return *constraints;
  first_row.assign(state.enabled().size(), -1);
  for (int row = constraints->num_rows() - 1; row >= 0; --row) first_row[std::size_t(constraints->element(row))] = row;
  return *constraints;
}

Evaluators& evaluators(Workspace& w) {
  if (!w.evaluators) w.evaluators = std::make_shared<Evaluators>();
  return *w.evaluators;
}

}  // namespace polhode::tree
