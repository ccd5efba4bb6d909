#pragma once
#include "polhode/projected/tree/make_integrator.h"
#include "polhode/variational/maximal/maximal_variational.h"
#include "tests/support/near.h"
#include "tests/variational/stepping.h"

/// What the tests of maximal-variational share.
namespace polhode::variational {

inline MaximalVariational started(const State& start, const MaximalVariationalOptions& options) {
  MaximalVariational stepper(start.mechanism(), options);
  stepper.set(start);
  return stepper;
}
inline State end_of_run(const State& start, double t_end, const MaximalVariationalOptions& options) {
  MaximalVariational stepper = started(start, options);
  run(stepper, t_end);
  return reached(stepper, start.mechanism());
}

/// A model's start, brought onto its constraints.
inline State assembled(const std::string& model) {
  State start = tree::initial_state(load(model));
  EXPECT_TRUE(tree::assemble(start, tree::given_by_model(start.mechanism())).assembled) << model;
  return start;
}

/// Where the bodies are and how they move: numbers that have no chart.
inline std::vector<double> body_motion(const State& state) {
  std::vector<double> all;
  for (int b = 1; b < state.mechanism().num_bodies(); ++b)
    for (const auto& part : {testing_support::numbers(state.pose(b)), testing_support::numbers(state.velocity(b))})
      all.insert(all.end(), part.begin(), part.end());
  return all;
}
inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, std::abs(a[i] - b[i]));
  return d;
}

/// By tree-projected, which shares the mechanism with it, but no equations of motion.
inline std::vector<double> exact_motion(const State& start, double t) {
  const auto exact = projected::make_integrator(start.mechanism(), {.integrator = "rk8", .accuracy = 1e-12});
  exact->set(start);
  run(*exact, t);
  return body_motion(reached(*exact, start.mechanism()));
}

}  // namespace polhode::variational
