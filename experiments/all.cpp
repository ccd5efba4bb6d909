#include "all.h"

namespace polhode::experiments {

std::span<const Experiment* const> all_experiments() {
  static const std::vector<const Experiment*> all{};
  return all;
}

}  // namespace polhode::experiments
