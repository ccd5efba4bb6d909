#include "all.h"

namespace polhode::experiments {

std::span<const Experiment* const> all_experiments() {
  static const std::vector<const Experiment*> all{&closed_chain_device, &scissor_lift, &scissor_lift_cost};
  return all;
}

}  // namespace polhode::experiments
