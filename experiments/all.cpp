#include "all.h"

namespace polhode::experiments {

std::span<const Experiment* const> all_experiments() {
  static const std::vector<const Experiment*> all{
      &double_pendulum_hour,
      &four_bar_drift,
      &sparse_dense,
      &newton_convergence,
  };
  return all;
}

}  // namespace polhode::experiments
