#include "all.h"

namespace polhode::experiments {

std::span<const Experiment* const> all_experiments() {
  static const std::vector<const Experiment*> all{
      // Seed 000, in the order of its figures, and 003.
      &pendulum_energy,
      &planar_human,
      &pendulum_links,
      &closed_chain_device,
      &scissor_lift,
      &scissor_lift_cost,
      &marionette,
      // Seed 001.
      &double_pendulum_hour,
      &four_bar_drift,
      &sparse_dense,
      &newton_convergence,
      &chain_cost,
      &four_bar_chain_cost,
      &tolerances,
      &minitaur,
      // Seed 004.
      &jet_pendulum,
      &jet_quadrangle,
      &jet_crank,
  };
  return all;
}

}  // namespace polhode::experiments
