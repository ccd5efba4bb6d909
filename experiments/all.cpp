#include "all.h"

namespace polhode::experiments {

std::span<const Experiment* const> all_experiments() {
  static const std::vector<const Experiment*> all{
      // Johnson & Murphey, in the order of the figures, and Johnson & Murphey 2008.
      &pendulum_energy,
      &planar_human,
      &pendulum_links,
      &closed_chain_device,
      &scissor_lift,
      &scissor_lift_cost,
      &marionette,
      // Bruedigam & Manchester.
      &double_pendulum_hour,
      &four_bar_drift,
      &sparse_dense,
      &newton_convergence,
      &chain_cost,
      &four_bar_chain_cost,
      &tolerances,
      &minitaur,
      // Tuomela, Arponen & Normi.
      &jet_pendulum,
      &jet_quadrangle,
      &jet_crank,
  };
  return all;
}

}  // namespace polhode::experiments
