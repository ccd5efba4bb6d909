#include "all.h"

namespace polhode::experiments {

std::span<const Experiment* const> all_experiments() {
  static const std::vector<const Experiment*> all{&jet_pendulum, &jet_quadrangle, &jet_crank};
  return all;
}

}  // namespace polhode::experiments
